-- A shop as its developers would have written it: units by foreign keys, lists and limits of all kinds, odd relations.
CREATE TYPE order_state AS ENUM ('cart', 'paid', 'it''s $${late}', 'returned');
CREATE DOMAIN stars AS smallint CHECK (VALUE BETWEEN 1 AND 5);
CREATE DOMAIN percentage AS numeric(5, 2) CHECK (VALUE >= 0 AND VALUE <= 100);

CREATE TABLE countries (code char(2) PRIMARY KEY, name text NOT NULL);
CREATE TABLE customers (
    customer_id integer PRIMARY KEY,
    email text NOT NULL UNIQUE,
    first_name text,
    birth_date date,
    country char(2) NOT NULL REFERENCES countries,
    sex text CHECK (sex IN ('f', 'm', 'x')),
    newsletter boolean NOT NULL,
    last_ip inet,
    discount percentage
);
CREATE TABLE products (
    product_id integer PRIMARY KEY,
    name text NOT NULL,
    price numeric(8, 2) NOT NULL CHECK (price >= 0)
);
CREATE TABLE orders (
    order_id bigint PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customers,
    state order_state NOT NULL,
    total numeric(10, 2) NOT NULL CHECK (total >= 0 AND total < 100000),
    ordered_at timestamptz NOT NULL,
    shipped date CHECK (shipped BETWEEN '2015-01-01' AND '2035-12-31')
);
CREATE TABLE order_lines (
    order_id bigint NOT NULL REFERENCES orders,
    product_id integer NOT NULL REFERENCES products,
    quantity integer NOT NULL CHECK (quantity > 0),
    weight double precision,
    PRIMARY KEY (order_id, product_id)
);
CREATE TABLE reviews (
    review_id uuid PRIMARY KEY,
    order_id bigint REFERENCES orders,
    stars stars,
    words text
);
CREATE TABLE gifts (
    gift_id integer PRIMARY KEY,
    giver integer NOT NULL REFERENCES customers,
    receiver integer NOT NULL REFERENCES customers
);
CREATE TABLE clicks (customer_id integer, page text, at timestamptz NOT NULL) PARTITION BY RANGE (at);
CREATE TABLE clicks_2024 PARTITION OF clicks FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE clicks_2025 PARTITION OF clicks FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE VIEW paid_orders AS SELECT order_id, customer_id, total FROM orders WHERE state = 'paid';
CREATE MATERIALIZED VIEW totals AS SELECT customer_id, sum(total) AS total FROM orders GROUP BY customer_id;
CREATE SCHEMA "Odd one";
CREATE TABLE "Odd one"."Yes, no" ("customer_id" integer NOT NULL, "a: b
# c" text, "true" boolean, "ünï" integer CHECK ("ünï" BETWEEN -5 AND 5), "${HOME}" text);
