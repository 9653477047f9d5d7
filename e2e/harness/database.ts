import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A database that exists for one run of the program. */
export interface Database {
  /** For DATABASE_URL of the program; empty means SQLite. */
  url: string;
  drop: () => Promise<void>;
}

const sqlite: Database = { url: '', drop: async () => {} };

/** Creates an empty database on the server that DATABASE_URL names; without it, returns SQLite. */
export async function freshDatabase(): Promise<Database> {
  const server = process.env.DATABASE_URL;
  if (!server) return sqlite;
  const name = `journeys_${randomBytes(6).toString('hex')}`;
  await run(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    drop: () => run(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Runs one statement on a new connection. */
async function run(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
