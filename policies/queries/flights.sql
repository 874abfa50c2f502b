-- What policies/flights.yaml answers, and what not.

-- Departures by month, cancelled ones among them.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: table:public.flights, unit:plane
SELECT date_trunc('month', time_hour) AS month, count(*), count(*) FILTER (WHERE dep_delay IS NULL) AS cancelled
FROM flights GROUP BY month ORDER BY month;

-- Delays by airline, with its name.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: table:public.flights, unit:plane
SELECT name, avg(dep_delay), avg(arr_delay) FROM flights JOIN airlines USING (carrier) GROUP BY name ORDER BY 2 DESC;

-- Where most flights go: destinations are selected.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: table:public.flights, unit:plane
SELECT dest, count(*) FROM flights GROUP BY dest ORDER BY 2 DESC LIMIT 10;

-- How old the planes are, and how large.
-- expect: answered
-- max_epsilon: 0.05
-- max_error: count(*) ±88
-- accounts: table:public.planes, unit:plane
SELECT engines, count(*), avg(year), avg(seats) FROM planes GROUP BY engines;

-- Flights of large planes: both tables belong to the plane.
-- expect: answered
-- max_epsilon: 0.05
-- accounts: table:public.flights, table:public.planes, unit:plane
SELECT origin, count(*) FROM flights JOIN planes USING (tailnum) WHERE seats > 200 GROUP BY origin;

-- How much the planes fly.
-- expect: answered
-- max_epsilon: 0.1
-- max_error: count(*) ±20
-- accounts: table:public.flights, unit:plane
SELECT width_bucket(flights, 0, 500, 10) AS bucket, count(*)
FROM (SELECT tailnum, count(*) AS flights FROM flights WHERE tailnum IS NOT NULL GROUP BY tailnum) AS each
GROUP BY bucket;

-- The list of airlines is public.
-- expect: public
SELECT carrier, name FROM airlines;

-- No plane by itself.
-- expect: refused group-by-unit
SELECT tailnum, count(*) FROM flights GROUP BY tailnum;

-- No row.
-- expect: refused rows
SELECT * FROM flights WHERE origin = 'JFK' LIMIT 5;

-- The flight's number is not listed.
-- expect: refused 42703
SELECT flight, count(*) FROM flights GROUP BY flight;
