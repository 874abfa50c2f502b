-- What policies/events.yaml answers, and what not.

-- Events of one month by day: this month's account pays, and the table's for all months.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: table:public.events, table:public.events.happened_at@2024-03
SELECT date_trunc('day', happened_at) AS day, count(*) FROM events
WHERE happened_at >= '2024-03-01' AND happened_at < '2024-04-01' GROUP BY day ORDER BY day;

-- Purchases of one month by platform.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: table:public.events, table:public.events.happened_at@2024-03
SELECT platform, count(*), avg(seconds) FROM events
WHERE kind = 'buy' AND happened_at >= '2024-03-01' AND happened_at < '2024-04-01' GROUP BY platform;

-- A dashboard's data set: the conditions of both parts say which months are read.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: table:public.events, table:public.events.happened_at@2024-02, table:public.events.happened_at@2024-03
SELECT kind, count(*) FROM (SELECT * FROM events WHERE platform = 'web') AS virtual_table
WHERE happened_at >= '2024-02-01' AND happened_at < '2024-04-01' GROUP BY kind;

-- Users by country, who have an account of their own.
-- expect: answered
-- max_epsilon: 0.1
-- max_error: count(*) ±20
-- accounts: table:public.users
SELECT country, count(*) FROM users GROUP BY country;

-- Events beside other events of the same user: a row would have two times.
-- expect: refused windows-join
SELECT count(*) FROM events a JOIN events b ON a.user_id = b.user_id WHERE a.kind = 'search' AND b.kind = 'buy';

-- A week's events by kind, within one month.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: table:public.events, table:public.events.happened_at@2024-03
SELECT kind, sum(seconds) FROM events WHERE happened_at >= '2024-03-04' AND happened_at < '2024-03-11' GROUP BY kind;
