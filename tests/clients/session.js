// One session of node-postgres, printed line by line. Arguments: a JSON object with the connection's parameters and the
// texts of the questions.
"use strict";
const fs = require("fs");
const { Client } = require("pg");
const Cursor = require("pg-cursor");
const { to } = require("pg-copy-streams");

const told = JSON.parse(process.argv[2]);
const asked = told.asked;
if (told.connection.ssl) told.connection.ssl = { ca: fs.readFileSync(told.connection.ssl), rejectUnauthorized: true };

function show(step, result) {
  const fields = (result.fields || []).map((field) => [field.name, field.dataTypeID, field.format]);
  console.log(step + ": " + JSON.stringify([result.command, result.rowCount, fields, result.rows]));
}

async function failing(client, step, text) {
  try {
    show(step, await client.query(text));
  } catch (error) {
    console.log(step + ": " + error.severity + " " + error.code);
  }
}

async function main() {
  const client = new Client(told.connection);
  await client.connect();
  for (const [name, text] of Object.entries(asked.introspected)) show(name, await client.query(text));
  show("types", await client.query(asked.types));
  show("binary", await client.query({ text: asked.numbers, binary: true }));
  show("groups", await client.query({ text: asked.grouped, rowMode: "array" }));
  for (let turn = 0; turn < 3; turn++)
    show("prepared", await client.query({ name: "filtered", text: asked.filtered, values: asked.values }));
  show("unnamed", await client.query(asked.filtered, asked.values));
  show("null", await client.query(asked.nothing, [null]));
  const cursor = client.query(new Cursor(asked.paged));
  for (let rows = await cursor.read(7); rows.length; rows = await cursor.read(7)) console.log("page: " + JSON.stringify(rows));
  await cursor.close();
  const copied = client.query(to(asked.copied));
  let text = "";
  for await (const piece of copied) text += piece;
  console.log("copied: " + JSON.stringify(text));
  await client.query("BEGIN");
  await failing(client, "wrong", asked.wrong);
  await failing(client, "after", "SELECT 1");
  await client.query("ROLLBACK");
  show("several", (await client.query("SELECT 1 AS one; SELECT count(*) FROM visits"))[1]);
  const slow = failing(client, "slow", asked.slow);
  const messenger = new Client({ ...told.connection, ssl: false }); // it sends cancel requests without TLS only
  setTimeout(() => messenger.cancel(client, client._activeQuery), 300);
  await slow;
  show("at last", await client.query("SELECT count(*) FROM visits"));
  await client.end();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
