// One session of the JDBC driver, printed line by line. Arguments: URL, user, password.
import java.io.StringWriter;
import java.sql.*;
import java.util.*;

class Session {
    static Connection connection;

    public static void main(String[] arguments) throws Exception {
        connection = DriverManager.getConnection(arguments[0], arguments[1], arguments[2]);
        run("SET dp.notices = off");
        run("SET dp.empty_groups = hide");
        run("SET TimeZone = 'UTC'");
        introspect(connection.getMetaData());
        for (int turn = 0; turn < 2; turn++) show("types", connection.createStatement().executeQuery(TYPES));
        show("groups", connection.createStatement().executeQuery(GROUPED));
        prepared(!arguments[0].contains("preferQueryMode=simple"));
        paged();
        copied();
        failing();
        cancelled();
        connection.close();
    }

    static final String TYPES = "SELECT NULL::text AS none, 1.50::numeric(10,2) AS price, 'a'::varchar(5) AS short,"
        + " DATE '2024-02-29' AS day, timestamptz '2024-02-29 12:00:00+00' AS moment, true AS yes,"
        + " 2.5::double precision AS half, ARRAY[1, NULL, 3] AS numbers, '\\x00ff'::bytea AS bytes";
    static final String GROUPED = "SELECT v.region, p.sex, s.title, count(*) AS visits, sum(v.cost) AS total"
        + " FROM visits v JOIN patients p ON p.patient_id = v.patient_id"
        + " JOIN specialties s ON s.specialty_id = v.specialty_id GROUP BY 1, 2, 3 ORDER BY 1, 2 NULLS FIRST, 3";

    static void run(String text) throws SQLException {
        try (Statement statement = connection.createStatement()) { statement.execute(text); }
    }

    static void introspect(DatabaseMetaData data) throws SQLException {
        show("tables", data.getTables(null, "public", "%", new String[] {"TABLE", "VIEW"}));
        for (String table : List.of("patients", "visits", "regions")) {
            show("columns", data.getColumns(null, "public", table, "%"));
            show("primary key", data.getPrimaryKeys(null, "public", table));
            show("foreign keys", data.getImportedKeys(null, "public", table));
            show("indexes", data.getIndexInfo(null, "public", table, false, true), "CARDINALITY", "PAGES");
            ResultSet privileges = data.getTablePrivileges(null, "public", table);
            boolean readable = false;
            while (privileges.next()) readable |= privileges.getString("PRIVILEGE").equals("SELECT");
            System.out.println("readable: " + table + " " + readable);
        }
    }

    static void prepared(boolean knowsParameters) throws SQLException {
        String query = "SELECT count(*), sum(cost) FROM visits WHERE cost > ? AND region = ? AND visited_at >= ?";
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            if (knowsParameters) {
                ParameterMetaData parameters = statement.getParameterMetaData();
                for (int i = 1; i <= parameters.getParameterCount(); i++)
                    System.out.println("parameter: " + parameters.getParameterTypeName(i));
            }
            for (int turn = 0; turn < 7; turn++) {  // the driver keeps it on the server from the fifth time
                statement.setBigDecimal(1, new java.math.BigDecimal("99.5"));
                if (turn == 6) statement.setNull(2, Types.VARCHAR); else statement.setString(2, "north");
                statement.setTimestamp(3, Timestamp.valueOf("2024-03-01 00:00:00"));
                show("prepared", statement.executeQuery());
            }
        }
    }

    static void paged() throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(7);
            show("paged", statement.executeQuery(
                "SELECT birth_year, count(*) FROM patients GROUP BY birth_year ORDER BY birth_year"));
        }
        connection.commit();
    }

    static void copied() throws Exception {
        StringWriter writer = new StringWriter();
        connection.unwrap(org.postgresql.PGConnection.class).getCopyAPI().copyOut(
            "COPY (SELECT region, count(*) FROM visits GROUP BY region ORDER BY 1) TO STDOUT (FORMAT csv)", writer);
        System.out.println("copied: " + writer.toString().replace("\n", ";"));
        connection.commit();
    }

    static void failing() throws SQLException {
        for (String text : List.of("SELECT count(nothere) FROM visits", "SELECT count(*) FROM visits")) {
            try { run(text); System.out.println("no error"); }
            catch (SQLException error) { System.out.println("error: " + error.getSQLState()); }
        }
        connection.rollback();
        connection.setAutoCommit(true);
        show("after", connection.createStatement().executeQuery("SELECT count(*) FROM visits"));
    }

    static void cancelled() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            statement.execute("SELECT pg_sleep(20)");
            System.out.println("no error");
        } catch (SQLException error) {
            System.out.println("cancelled: " + error.getSQLState());
        }
    }

    static void show(String step, ResultSet rows, String... hidden) throws SQLException {
        ResultSetMetaData data = rows.getMetaData();
        for (int i = 1; i <= data.getColumnCount(); i++)
            System.out.println(step + ": " + data.getColumnLabel(i) + " " + data.getColumnTypeName(i) + " "
                + data.getPrecision(i) + " " + data.getScale(i) + " " + data.getTableName(i) + " " + data.isNullable(i));
        while (rows.next()) {
            StringJoiner line = new StringJoiner("|", step + ": ", "");
            for (int i = 1; i <= data.getColumnCount(); i++)
                line.add(List.of(hidden).contains(data.getColumnLabel(i)) ? "" : String.valueOf(rows.getString(i)));
            System.out.println(line);
        }
        rows.close();
    }
}
