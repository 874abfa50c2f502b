-- What policies/shop.yaml answers, and what not.

-- Orders by channel and year.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: analyst:ana:public.orders, table:public.orders, unit:customer
SELECT extract(year FROM ordered_at) AS year, channel, count(*) FROM orders GROUP BY year, channel;

-- Turnover by category: products are public.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: analyst:ana:public.order_lines, analyst:ana:public.orders, table:public.order_lines, table:public.orders, unit:customer
SELECT category, sum(quantity * price) FROM order_lines JOIN products USING (product_id) GROUP BY category;

-- Turnover by city: a line belongs to the customer of its order.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: analyst:ana:public.order_lines, analyst:ana:public.orders, table:public.order_lines, table:public.orders, unit:customer
SELECT city, sum(price * quantity)
FROM order_lines JOIN orders USING (order_id) JOIN branches USING (branch_id) GROUP BY city;

-- Customers by country; all others under one name.
-- expect: answered
-- max_epsilon: 0.1
-- max_error: count(*) ±34
-- accounts: analyst:ana:public.customers, table:public.customers, unit:customer
SELECT country, count(*), avg(birth_year) FROM customers GROUP BY country;

-- Do readers of the newsletter order more?
-- expect: answered
-- max_epsilon: 0.1
-- accounts: analyst:ana:public.customers, analyst:ana:public.orders, table:public.customers, table:public.orders, unit:customer
SELECT newsletter, count(order_id), count(DISTINCT customer_id)
FROM customers LEFT JOIN orders USING (customer_id) GROUP BY newsletter;

-- Sickness by month, of employees.
-- expect: answered
-- max_epsilon: 0.05
-- max_error: count(*) FILTER(WHERE sick) ±4390
-- max_error: count(*) ±4390
-- accounts: analyst:ana:public.shifts, table:public.shifts, unit:employee
SELECT date_trunc('month', day) AS month, count(*) FILTER (WHERE sick), count(*) FROM shifts GROUP BY month;

-- Staff by branch.
-- expect: answered
-- max_epsilon: 0.05
-- max_error: count(*) ±55
-- max_error: sum(hours_a_week) ±2220
-- accounts: analyst:ana:public.employees, table:public.employees, unit:employee
SELECT branch_id, count(*), sum(hours_a_week) FROM employees GROUP BY branch_id;

-- Customers and employees are not joined: no row belongs to both.
-- expect: refused private-join
SELECT count(*) FROM orders JOIN employees USING (branch_id);

-- What an employee sold is nobody's to ask.
-- expect: refused 42703
SELECT cashier_id, count(*) FROM orders GROUP BY cashier_id;

-- No customer by itself.
-- expect: refused group-by-unit
SELECT customer_id, sum(price) FROM orders JOIN order_lines USING (order_id) GROUP BY customer_id;
