import { closeDatabase, openDatabase, type Queries, workTimeouts } from '#server/infra/db/index.ts'
import { lockMigrations, migrate } from '#server/infra/db/migrate.ts'
import { placements } from './placements.ts'

/** Why a database cannot be distributed, with a code that does not change. */
export class DistributionRefused extends Error {
  readonly code: 'citus_missing' | 'citus_without_workers' | 'database_in_use'

  constructor(code: DistributionRefused['code'], message: string) {
    super(message)
    this.code = code
  }
}

interface Plan {
  /** Addresses of the nodes that hold shards. */
  nodes: string[]
  /** Tables that are not where they belong yet, with their bytes. */
  user: Table[]
  reference: Table[]
  /** An earlier run was cut. */
  isCut: boolean
}

interface Table {
  name: string
  bytes: number
}

const applicationName = 'hapax-distribute'

/**
 * Settings of every node. Triggers write tables of the same user, so each stays on the node of its row. SET LOCAL reaches the
 * triggers. One transaction may ask all shards and then write an account, to which they refer. Steps of a statement are
 * estimated so dear that PostgreSQL would compile them, which takes 150 ms.
 */
const settings = [
  'citus.enable_unsafe_triggers = on',
  'citus.allow_nested_distributed_execution = on',
  "citus.propagate_set_commands = 'local'",
  "citus.multi_shard_modify_mode = 'sequential'",
  'jit = off',
]

/**
 * Returns what `distribute` would do. Throws DistributionRefused where the database has no Citus with nodes, or Hapax runs
 * on it.
 */
export async function planDistribution(url: string): Promise<Plan> {
  return withConnection(url, readPlan)
}

/**
 * Distributes a database by user with Citus, after its migrations. Each table moves in a transaction of its own, so a run that
 * was cut goes on where it was. Foreign keys and triggers are away meanwhile, and the schema `distribution`, where the keys'
 * definitions wait, keeps Hapax from starting.
 */
export async function distribute(url: string, tell: (line: string) => void = () => {}): Promise<void> {
  const plan = await planDistribution(url)
  if (!plan.isCut && plan.user.length + plan.reference.length === 0) return
  if (!plan.isCut) await migrate(url)
  await withConnection(url, async (connection) => {
    for (const setting of settings) await onEveryNode(connection, `alter database %I set ${setting}`)
  })
  // A new connection, since the settings reach only those that are made after them.
  await withConnection(url, async (connection) => {
    await lockMigrations(connection, {})
    if (!plan.isCut) await takeAway(connection)
    for (const { name } of plan.reference) {
      tell(`${name}: to every node`)
      await connection.any('select create_reference_table($1)', [name])
    }
    for (const { name } of anchorFirst(plan.user)) {
      tell(`${name}: by user`)
      await connection.any('select create_distributed_table($1, $2, colocate_with => $3)', [
        name,
        'user_id',
        name === anchor ? 'none' : anchor,
      ])
      await connection.any('select truncate_local_data_after_distributing_table($1)', [name])
    }
    await addForeignKeys(connection, tell)
  })
  await migrate(url)
}

/** The table whose shards all others of users follow. */
const anchor = 'inventory_item'
const anchorFirst = (tables: Table[]) =>
  tables.toSorted((one, other) => Number(other.name === anchor) - Number(one.name === anchor))

async function readPlan(connection: Queries): Promise<Plan> {
  const { has_citus } = await connection.one<{ has_citus: boolean }>(
    "select exists (select from pg_extension where extname = 'citus') as has_citus",
  )
  if (!has_citus)
    throw new DistributionRefused(
      'citus_missing',
      'The database has no Citus. Install its packages on every node, run "create extension citus" in this database of ' +
        'each, and name the workers to the coordinator: docs/growing.md, "From one machine to many".',
    )
  const nodes = await connection.map(
    'select nodename, nodeport from pg_dist_node where isactive and shouldhaveshards order by nodename, nodeport',
    [],
    ({ nodename, nodeport }: { nodename: string; nodeport: number }) => `${nodename}:${nodeport}`,
  )
  if (nodes.length === 0)
    throw new DistributionRefused(
      'citus_without_workers',
      'The coordinator knows no node that may hold shards. Name each worker to it: select citus_add_node(host, port).',
    )
  const { others } = await connection.one<{ others: number }>(
    `select count(*)::integer as others from pg_stat_activity
     where datname = current_database() and application_name like 'hapax%' and application_name <> $1`,
    [applicationName],
  )
  if (others > 0)
    throw new DistributionRefused(
      'database_in_use',
      `Hapax has ${others} connections to the database. Stop all of its processes first.`,
    )
  const tables = await connection.any<Table>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'
       and oid not in (select logicalrelid from pg_dist_partition where partmethod = 'h' or repmodel = 't')
     order by relname`,
  )
  const missing = (names: readonly string[]) => tables.filter(({ name }) => names.includes(name))
  const { is_cut } = await connection.one<{ is_cut: boolean }>(
    "select to_regnamespace('distribution') is not null as is_cut",
  )
  return { nodes, isCut: is_cut, user: missing(placements.user), reference: missing(placements.reference) }
}

/**
 * Takes foreign keys and triggers away, all at once. The next migration applies functions and triggers again, which then reach
 * the workers, too.
 */
async function takeAway(connection: Queries): Promise<void> {
  // A table that is copied to its shards would run its triggers for each row. A user's own id never changes; statements that
  // change another part of a key change what refers to it themselves.
  await connection.none(`do $$
    declare
      dropped text;
    begin
      create schema distribution;
      create table distribution.foreign_key as
        select conrelid::regclass::text as table_name, conname::text as name,
          replace(pg_get_constraintdef(oid), ' ON UPDATE CASCADE', '') as definition
        from pg_constraint
        where contype = 'f' and connamespace = 'public'::regnamespace;
      for dropped in
        select format('alter table %s drop constraint %I', table_name, name) from distribution.foreign_key
        union all
        select format('drop trigger %I on %s', tgname, tgrelid::regclass) from pg_trigger
        join pg_class on pg_class.oid = tgrelid
        where not tgisinternal and relnamespace = 'public'::regnamespace
      loop
        execute dropped;
      end loop;
      update schema_compatibility set routines_checksum = null;
    end
  $$`)
}

async function addForeignKeys(connection: Queries, tell: (line: string) => void): Promise<void> {
  const statements = await connection.map(
    `select format('alter table %s add constraint %I %s', table_name, name, definition) as statement
     from distribution.foreign_key key
     where not exists (select from pg_constraint where conrelid = key.table_name::regclass and conname = key.name)
     order by table_name, name`,
    [],
    (row: { statement: string }) => row.statement,
  )
  tell(`${statements.length} foreign keys`)
  for (const statement of statements) await connection.none(statement)
  await connection.none('drop schema distribution cascade')
}

/** Runs a statement about the database, named by %I, on every node. */
async function onEveryNode(connection: Queries, statement: string): Promise<void> {
  const answers = await connection.any<{ success: boolean; result: string }>(
    'select success, result from run_command_on_all_nodes(format($1, current_database()))',
    [statement],
  )
  const failed = answers.find(({ success }) => !success)
  if (failed) throw new Error(`A node refused "${statement}": ${failed.result}`)
}

async function withConnection<Result>(url: string, work: (connection: Queries) => Promise<Result>): Promise<Result> {
  // Moving a large table takes as long as copying it.
  const timeouts = { ...workTimeouts, statementMs: 0, idleInTransactionMs: 0 }
  const db = openDatabase({ url, max: 1, applicationName, timeouts })
  try {
    return await db.task(work)
  } finally {
    await closeDatabase(db)
  }
}
