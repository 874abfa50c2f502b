-- The tables of policies/events.yaml.
CREATE TABLE countries (code text PRIMARY KEY);
INSERT INTO countries VALUES ('de'), ('fr'), ('it');

CREATE TABLE loads (loaded_at timestamptz NOT NULL);
INSERT INTO loads VALUES ('2024-04-01 00:00+00');

CREATE TABLE users (user_id bigint PRIMARY KEY, country text NOT NULL REFERENCES countries);

CREATE TABLE events (
    event_id bigint PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users,
    happened_at timestamptz NOT NULL,
    kind text NOT NULL CHECK (kind IN ('open', 'search', 'buy', 'share')),
    platform text,
    seconds integer
);

CREATE ROLE dpproxy_reader LOGIN PASSWORD 'secret';
GRANT SELECT ON countries, loads, users, events TO dpproxy_reader;
