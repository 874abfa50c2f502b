-- The tables of nycflights13 (every flight that left New York in 2013), with keys: what policies/flights.yaml is about.
CREATE TABLE airlines (carrier char(2) PRIMARY KEY, name text NOT NULL);
INSERT INTO airlines VALUES
    ('9E', 'Endeavor Air Inc.'), ('AA', 'American Airlines Inc.'), ('AS', 'Alaska Airlines Inc.'), ('B6', 'JetBlue Airways'),
    ('DL', 'Delta Air Lines Inc.'), ('EV', 'ExpressJet Airlines Inc.'), ('F9', 'Frontier Airlines Inc.'),
    ('FL', 'AirTran Airways Corporation'), ('HA', 'Hawaiian Airlines Inc.'), ('MQ', 'Envoy Air'),
    ('OO', 'SkyWest Airlines Inc.'), ('UA', 'United Air Lines Inc.'), ('US', 'US Airways Inc.'), ('VX', 'Virgin America'),
    ('WN', 'Southwest Airlines Co.'), ('YV', 'Mesa Airlines Inc.');
CREATE TABLE airports (faa char(3) PRIMARY KEY, name text NOT NULL, lat double precision, lon double precision, tzone text);
INSERT INTO airports VALUES
    ('EWR', 'Newark Liberty Intl', 40.6925, -74.1687, 'America/New_York'),
    ('JFK', 'John F Kennedy Intl', 40.6398, -73.7789, 'America/New_York'),
    ('LGA', 'La Guardia', 40.7772, -73.8726, 'America/New_York');
CREATE TABLE planes (
    tailnum varchar(6) PRIMARY KEY, year smallint, manufacturer text, model text, engines smallint, seats smallint
);
CREATE TABLE flights (
    flight_id bigint PRIMARY KEY, time_hour timestamp NOT NULL, carrier char(2) NOT NULL REFERENCES airlines,
    flight integer NOT NULL, tailnum varchar(6), origin char(3) NOT NULL REFERENCES airports, dest char(3) NOT NULL,
    dep_delay integer, arr_delay integer, air_time integer, distance integer NOT NULL
);
