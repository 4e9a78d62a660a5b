import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { placements } from './placements.ts'

/** Rules of Citus for the schema, with their reasons. `find` returns what breaks the rule; $1 are the tables of users. */
const schemaRules: { rule: string; why: string; find: string }[] = [
  {
    rule: 'a table of users names the user of each row',
    why: 'the user decides the shard, so that the column is never null and has one type, by which tables are colocated',
    find: `select class.relname as offender from pg_class class
      left join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attname = 'user_id'
        and attribute.attnotnull and attribute.atttypid = 'integer'::regtype
      where class.oid = any($1::regclass[]) and attribute.attname is null`,
  },
  {
    rule: 'a unique index of a table of users holds the user',
    why: 'a shard sees its own rows only; what is unique among all users is in a reference table',
    find: `select index.indexrelid::regclass::text as offender from pg_index index
      join pg_attribute attribute on attribute.attrelid = index.indrelid and attribute.attname = 'user_id'
      where index.indrelid = any($1::regclass[]) and index.indisunique and not attribute.attnum = any(index.indkey)`,
  },
  {
    rule: 'the name of a unique index does not end in a number',
    why: 'a shard appends its number, which `violatedUnique` takes away',
    find: `select indexrelid::regclass::text as offender from pg_index
      where indisunique and indrelid = any($1::regclass[] || $2::regclass[]) and indexrelid::regclass::text ~ '_\\d+$'`,
  },
  {
    rule: 'a foreign key between tables of users holds the user',
    why: 'both rows have to be on one shard',
    find: `select conname::text as offender from pg_constraint
      join pg_attribute attribute on attribute.attrelid = conrelid and attribute.attname = 'user_id'
      where contype = 'f' and conrelid = any($1::regclass[]) and confrelid = any($1::regclass[])
        and not attribute.attnum = any(conkey)`,
  },
  {
    rule: 'a table of users refers to tables of users and reference tables',
    why: 'no shard can look into a table of the coordinator',
    find: `select conname::text as offender from pg_constraint
      where contype = 'f' and conrelid = any($1::regclass[]) and not confrelid = any($1::regclass[] || $2::regclass[])`,
  },
  {
    rule: 'nothing else refers to a table of users',
    why: 'a reference table or the coordinator would have to ask every shard',
    find: `select conname::text as offender from pg_constraint
      where contype = 'f' and confrelid = any($1::regclass[]) and not conrelid = any($1::regclass[])`,
  },
  {
    rule: 'an identity of a table of users is a bigint',
    why: 'each node numbers from a range of its own, which an integer cannot hold',
    find: `select attrelid::regclass || '.' || attname as offender from pg_attribute
      where attrelid = any($1::regclass[]) and attidentity <> '' and atttypid <> 'bigint'::regtype`,
  },
  {
    rule: 'a trigger does not ask for its table',
    why: 'on a shard the name is that of the shard; an argument of the trigger says what it needs',
    find: `select proname::text as offender from pg_proc
      where prorettype = 'trigger'::regtype and pronamespace = 'public'::regnamespace and prosrc ~ 'tg_(table_name|relid|relname)'`,
  },
  {
    rule: 'a trigger of a reference table works on the coordinator alone',
    why: 'it runs on every node that has a copy',
    find: `select distinct proname::text as offender from pg_trigger
      join pg_proc on pg_proc.oid = tgfoid
      where not tgisinternal and tgrelid = any($2::regclass[]) and prosrc not like '%is_coordinator()%'`,
  },
  {
    rule: 'a trigger of a table of users notifies nobody',
    why: 'it runs on a worker, whose part of a transaction is prepared, and PostgreSQL prepares none that has notified',
    find: `select distinct proname::text as offender from pg_trigger
      join pg_proc on pg_proc.oid = tgfoid
      where not tgisinternal and tgrelid = any($1::regclass[]) and prosrc ~ '\\m(pg_)?notify\\M'`,
  },
  {
    rule: 'a trigger of a table of users writes tables of users',
    why: 'it runs on a worker, where the tables of the coordinator are not, and every node would have to write a reference table',
    find: `select distinct proname || ' writes ' || written[1] as offender from pg_trigger
      join pg_proc on pg_proc.oid = tgfoid
      cross join lateral regexp_matches(prosrc, '(?:insert into|update(?!\\s+set)|delete from)\\s+(\\w+)', 'g') as written
      where not tgisinternal and tgrelid = any($1::regclass[]) and not coalesce(to_regclass(written[1]) = any($1::regclass[]), false)`,
  },
  {
    rule: 'a trigger sums its rows up before it writes',
    why: 'the rows of a statement are in no table, so that Citus finds none to join with a distributed one',
    find: `select distinct proname::text as offender from pg_trigger
      join pg_proc on pg_proc.oid = tgfoid
      where tgrelid = any($1::regclass[]) and coalesce(tgnewtable, tgoldtable) is not null
        and prosrc ~ '(insert into[^;]*\\mselect|update[^;]*\\mfrom)\\M'`,
  },
]

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ bare: true })
})
afterAll(() => database?.drop())

it('names the place of each table once', async () => {
  const tables = await database.db.map(
    "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    [],
    (row: { relname: string }) => row.relname,
  )
  expect(Object.values(placements).flat().sort()).toEqual(tables.sort())
})

describe('the schema on Citus', () => {
  it.each(schemaRules)('$rule', async ({ find }) => {
    expect(await database.db.any(find, [placements.user, placements.reference])).toEqual([])
  })
})

const folder = fileURLToPath(new URL('../../infra/db/migrations/', import.meta.url))

describe('migrations on Citus', () => {
  // Tables of the first migration are in every database before it is distributed.
  const texts = readdirSync(folder)
    .filter((file) => !file.startsWith('0001.'))
    .map((file) => readFileSync(folder + file, 'utf8'))

  it('place each new table before it refers to tables of users', () => {
    expect(texts.flatMap(misplaced)).toEqual([])
  })

  it('are recognized where they do not', () => {
    const create = 'create table alert (user_id integer not null, constraint alert_pkey primary key (user_id, uid));\n'
    const place = "select place_table('alert', 'user');\n"
    const refer = 'alter table alert add foreign key (user_id, item_uid) references inventory_item (user_id, uid);\n'
    expect(misplaced(create + place + refer)).toEqual([])
    expect(misplaced(create)).toEqual(['alert'])
    expect(misplaced(create + refer + place)).toEqual(['alert'])
    expect(misplaced(create + place.replace('user', 'reference'))).toEqual(['alert'])
  })
})

/** Returns the tables that a migration makes and does not place, or places after a foreign key of theirs. */
function misplaced(migration: string): string[] {
  const made = [...migration.matchAll(/^create table (\w+)/gm)].map(([, name]) => name!)
  return made.filter((name) => {
    const kind = (['user', 'reference'] as const).find((each) => (placements[each] as readonly string[]).includes(name))
    if (!kind) return false
    const from = migration.slice(migration.indexOf(`create table ${name} `))
    const before = from.split(`select place_table('${name}', '${kind}');`)
    return before.length < 2 || [...before[0]!.matchAll(/references (\w+)/g)].some(([, to]) => isOfUsers(to!))
  })
}

const isOfUsers = (table: string) => (placements.user as readonly string[]).includes(table)

const server = fileURLToPath(new URL('../..', import.meta.url))
const statements = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('/queries.sql'))
  .flatMap((file) =>
    readFileSync(server + file, 'utf8')
      .split(/^-- name: /m)
      .slice(1)
      .map((text) => ({ name: `${file.replace('/queries.sql', '')}/${/^\w+/.exec(text)}`, text })),
  )
/** The statements of the server that are about one user. */
const ofUsers = statements.filter(({ text }) => /:user_id\b/.test(text))

it('a condition in a statement of a user names the user, not the user of another row', () => {
  // Citus sees that `listing.user_id = item.user_id` names one user in a join, and not in a subquery.
  const offenders = ofUsers.filter(({ text }) => /\bwhere \w+\.user_id = (?!excluded)\w+\.user_id/.test(text))
  expect(offenders.map(({ name }) => name)).toEqual([])
})

// Citus reads the rows first and then writes them by a statement whose other parameters have lost their types. In a part of
// a statement, parameters are values already.
it('an insert of selected rows names no parameter in its `do update`, unless it is a part of a statement', () => {
  const offenders = ofUsers.filter(({ text }) =>
    /^insert into [^;]*?^select\b[^;]*\bdo update\b[^;]*(?<!:):[a-z]/ms.test(text.replace(/^.*\n(--.*\n)*/, '')),
  )
  expect(offenders.map(({ name }) => name)).toEqual([])
})

// Citus 13.0 takes such a statement to no shard, and inserts nothing without an error. A part of a statement reads the
// reference table apart.
it('an insert of the rows of a function into a table of users joins no reference table', () => {
  const joining = /insert into (\w+)[^;]*?\bfrom (?:unnest|jsonb?_\w+)\([^;]*?\bjoin (\w+) on/g
  const offenders = statements.filter(({ text }) =>
    [...text.matchAll(joining)].some(
      ([, into, joined]) => isOfUsers(into!) && (placements.reference as readonly string[]).includes(joined!),
    ),
  )
  expect(offenders.map(({ name }) => name)).toEqual([])
})

// Null for the parameter would make a join without a condition, which Citus refuses.
it('an outer join of a table of users with a parameter replaces null', () => {
  const offenders = ofUsers.filter(({ text }) =>
    [...text.matchAll(/\bleft join (\w+) .* = :(?!user_id\b)\w+$/gm)].some(([, table]) => isOfUsers(table!)),
  )
  // Its order is never null.
  expect(offenders.map(({ name }) => name)).toEqual(['selling/sales/matchLines'])
})

// Citus leaves the name of the only table out, so that the order would be that of the output: "9" before "10".
it('a statement of one table does not order by a column that an output of its name hides', () => {
  const offenders = statements.filter(({ text }) => {
    const [, hidden] = /::text as "?(\w+)/.exec(text) ?? []
    return hidden && !/\bjoin\b/.test(text) && new RegExp(`order by (\\w+\\.)?${hidden}\\b`).test(text)
  })
  expect(offenders.map(({ name }) => name)).toEqual([])
})

// A lock on a row of a reference table alone locks the whole table on Citus, and two shared ones are a deadlock. A join with a
// table of users takes the statement to the user's shard, where it locks the row.
it('a statement of a user that locks rows of a reference table goes to the shard of the user', () => {
  const locking = /\bfrom (\w+)[^()]*\bfor (?:no key update|update|key share|share)\b/g
  const offenders = ofUsers.filter(
    ({ text }) =>
      [...text.matchAll(locking)].some(([, table]) => (placements.reference as readonly string[]).includes(table!)) &&
      !text.includes('left join seller_settings shard on shard.user_id = :user_id'),
  )
  // An update of a reference table locks its row on every node.
  expect(offenders.map(({ name }) => name)).toEqual(['accounts/closing/closeAccount'])
})
