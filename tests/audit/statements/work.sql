-- Work around the limits of a row: whether it is refused follows from the text, and what is not refused takes no time.
-- That of 10 000 rows must stay far below the source's timeout here: the work of a row is bounded, not that of a unit.
-- $text: ward
-- $text: left(ward, 1000)
-- $text: repeat(ward, 20)
-- $text: repeat(left(ward, 100), 100)
-- $text: lpad(ward, 10000, 'a')
-- $text: upper(ward)
-- $text: ward || region || code
-- $test: x ~ 'a.*?b|a'
-- $test: x ~ '(a|b|aa)*c$'
-- $test: x LIKE '%a%b%c%d%'
-- $test: regexp_count(x, 'a+') > 5
-- $test: regexp_replace(x, 'a+', 'b', 'g') > 'b'
-- $test: length(replace(x, 'a', repeat('b', 50))) > 100
-- $test: array_length(string_to_array(x, 'a'), 1) > 3
-- $test: translate(x, 'abcdefghij', 'jihgfedcba') < x
-- $rows: 10
-- $rows: 100
-- $rows: 9999
-- $number: power(discount, 50)
-- $number: discount * discount * discount * discount
-- $number: ln(discount + 2)
-- $number: exp(discount)
-- $number: discount / 3 / 7 / 11 / 13
-- $number: gcd(minutes, minutes * 7919)

SELECT count(*) FROM (SELECT person, $text AS x FROM visits) AS v WHERE $test;

SELECT count(*) FROM visits CROSS JOIN generate_series(1, $rows) AS g WHERE strpos(left(ward, 50), 'a') > g;

SELECT count(*) FROM visits CROSS JOIN generate_series(1, $rows) AS g WHERE regexp_count(lpad(ward || g, 60, 'a'), 'a+') > 5;

SELECT sum($number) FROM visits;

SELECT count(*) FROM visits CROSS JOIN generate_series(1, $rows) AS g WHERE $number > g;

SELECT count(*) FROM (SELECT DISTINCT person, repeat(ward, 100) AS a, repeat(region, 100) AS b, repeat(code, 100) AS c FROM visits) AS t;

SELECT count(*) FROM (SELECT person, string_agg(repeat(ward, 10), ',' ORDER BY at) AS x FROM visits GROUP BY person) AS t WHERE x > 'w';

SELECT concat(ward, repeat(ward, 90)), count(*) FROM visits GROUP BY 1;
