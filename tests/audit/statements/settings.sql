-- What a session may set, and what it may not.
-- $setting: dp.epsilon = 0.01
-- $setting: dp.epsilon = 100
-- $setting: dp.mechanism = laplace
-- $setting: dp.mechanism = gaussian
-- $setting: dp.max_rows = 1
-- $setting: dp.max_rows = 10000
-- $setting: dp.max_rows_per_group = 1
-- $setting: dp.max_groups = 1
-- $setting: dp.max_groups = 100
-- $setting: dp.empty_groups = hide
-- $setting: dp.notices = off
-- $setting: dp.delta = '1e-5'
-- $setting: TimeZone = 'Asia/Tokyo'
-- $setting: IntervalStyle = iso_8601
-- $query: SELECT count(*), sum(cost) FROM visits
-- $query: SELECT ward, count(*) FROM visits GROUP BY ward
-- $query: SELECT region, urgent, sum(minutes) FROM visits GROUP BY region, urgent
-- $query: SELECT count(DISTINCT minutes), max(cost) FROM visits
-- $query: SELECT date_trunc('day', seen), count(*) FROM visits GROUP BY 1
-- $wrong: dp.epsilon = -1
-- $wrong: dp.epsilon = 'NaN'
-- $wrong: dp.epsilon = 1e9
-- $wrong: dp.max_rows = 0
-- $wrong: dp.nothing = 1
-- $wrong: DateStyle = German
-- $wrong: standard_conforming_strings = off
-- $wrong: ROLE postgres
-- $calibration: analytic
-- $calibration: classic

SET $setting;
$query;

SET $setting;
SET dp.mechanism = laplace;
$query;

SET $wrong;
SELECT count(*) FROM visits;

SET dp.epsilon = 0.5;
SET dp.delta = '1e-5';
SET dp.mechanism = gaussian;
SET dp.calibration = $calibration;
SELECT region, count(*), sum(cost) FROM visits GROUP BY region;

BEGIN;
$query;
SAVEPOINT s;
$query;
COMMIT;

PREPARE q AS $query;
EXECUTE q;

DECLARE c CURSOR WITH HOLD FOR $query;
FETCH 1 FROM c;
CLOSE c;

COPY ($query) TO STDOUT;
