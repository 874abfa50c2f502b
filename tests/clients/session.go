// One session of lib/pq, printed: the same on plain Postgres and through dpproxy.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/lib/pq"
)

func say(what string, err error) {
	if known, ok := err.(*pq.Error); ok {
		fmt.Println(what, string(known.Code), known.Message, known.Position)
	} else if err != nil {
		fmt.Println(what, "error", err)
	}
}

func print(what string, rows *sql.Rows, err error) {
	say(what, err)
	if err != nil {
		return
	}
	defer rows.Close()
	types, _ := rows.ColumnTypes()
	for _, column := range types {
		precision, scale, _ := column.DecimalSize()
		fmt.Println(what, column.Name(), column.DatabaseTypeName(), precision, scale)
	}
	values := make([]any, len(types))
	for rows.Next() {
		places := make([]any, len(types))
		for i := range values {
			places[i] = &values[i]
		}
		say(what, rows.Scan(places...))
		texts := make([]string, len(types))
		for i, value := range values {
			texts[i] = fmt.Sprintf("%T %v", value, value)
		}
		fmt.Println(what, strings.Join(texts, "|"))
	}
	say(what, rows.Err())
}

func main() {
	server, err := sql.Open("postgres", os.Args[1])
	say("open", err)
	server.SetMaxOpenConns(1)
	texts := os.Args[2:]
	types, grouped, filtered, nothing, refused, wrong, slow, readable := texts[0], texts[1], texts[2], texts[3], texts[4], texts[5], texts[6], texts[7]
	for what, text := range map[string]string{"types": types, "groups": grouped, "readable": readable} {
		rows, err := server.Query(text)
		print(what, rows, err)
	}
	prepared, err := server.Prepare(filtered)
	say("prepare", err)
	for i := 0; i < 2; i++ {
		rows, err := prepared.Query("99.5", "north", time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC))
		print("prepared", rows, err)
	}
	rows, err := server.Query(nothing, nil)
	print("NULL", rows, err)
	if strings.Contains(os.Args[1], "verify-full") {
		_, err = server.Query(refused)
		say("refused", err)
	}
	transaction, err := server.Begin()
	say("begin", err)
	_, err = transaction.Exec(wrong)
	say("wrong", err)
	_, err = transaction.Exec("SELECT 1")
	say("failed", err)
	say("rollback", transaction.Rollback())
	soon, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	_, err = server.ExecContext(soon, slow)
	say("cancelled", err)
	rows, err = server.Query("SELECT count(*) FROM patients")
	print("after", rows, err)
}
