import { createServer } from 'node:http';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';

/*
 * The floor for a start: a plain Node server that answers every request with a row of SQLite. It is JavaScript, because
 * stripping types would take memory and time.
 */
const db = new BetterSqlite3(join(process.env.DATA_DIR ?? '', 'bare.db'));
db.exec('create table if not exists "rows" ("id" integer primary key)');
const query = db.prepare('select count(*) as "count" from "rows"');
const server = createServer((_request, response) => response.end(JSON.stringify(query.get())));
server.listen(Number(process.env.PORT), '127.0.0.1');
