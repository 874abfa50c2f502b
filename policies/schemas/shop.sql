-- A retail shop with branches and a web site: what policies/shop.yaml is about.
CREATE TYPE channel AS ENUM ('branch', 'web', 'phone');
CREATE TABLE branches (branch_id integer PRIMARY KEY, city text NOT NULL, country char(2) NOT NULL);
INSERT INTO branches VALUES (1, 'Utrecht', 'NL'), (2, 'Ghent', 'BE'), (3, 'Trier', 'DE');
CREATE TABLE categories (name text PRIMARY KEY);
INSERT INTO categories VALUES ('books'), ('games'), ('music'), ('paper');
CREATE TABLE products (
    product_id integer PRIMARY KEY, category text NOT NULL REFERENCES categories, title text NOT NULL,
    list_price numeric(8, 2) NOT NULL
);
CREATE TABLE customers (
    customer_id bigint PRIMARY KEY, email text NOT NULL UNIQUE, country char(2) NOT NULL, birth_year smallint,
    since date NOT NULL, newsletter boolean NOT NULL
);
CREATE TABLE employees (
    employee_id integer PRIMARY KEY, name text NOT NULL, branch_id integer NOT NULL REFERENCES branches,
    hired date NOT NULL, hours_a_week numeric(3, 1) NOT NULL
);
CREATE TABLE orders (
    order_id bigint PRIMARY KEY, customer_id bigint NOT NULL REFERENCES customers, branch_id integer REFERENCES branches,
    cashier_id integer REFERENCES employees, ordered_at timestamptz NOT NULL, channel channel NOT NULL
);
CREATE TABLE order_lines (
    order_id bigint NOT NULL REFERENCES orders, line smallint NOT NULL, product_id integer NOT NULL REFERENCES products,
    quantity integer NOT NULL, price numeric(8, 2) NOT NULL, PRIMARY KEY (order_id, line)
);
CREATE TABLE shifts (
    shift_id bigint PRIMARY KEY, employee_id integer NOT NULL REFERENCES employees, day date NOT NULL,
    took interval NOT NULL, sick boolean NOT NULL
);
