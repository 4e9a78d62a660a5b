import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Database } from '#server/infra/db/index.ts'
import { root } from './root.ts'

/** A statement of a `queries.sql`. */
interface Query {
  name: string
  /** Its promise, which stands above it. */
  comment: string
  /** The statement with `$1` for its first parameter and without marks of null. */
  text: string
  /** Names of the parameters, in the order of their numbers. */
  parameters: string[]
  /** Parameters that may be null: `:note?` in one place at least. */
  optional: Set<string>
  /** Columns whose null PostgreSQL cannot tell: `as "name?"` may be null, `as "name!"` is not. */
  marks: Map<string, string>
  /** False if a line `-- unprepared, since ...` says why PostgreSQL plans it each time. */
  isPrepared: boolean
  /** Columns whose TypeScript type is narrower than PostgreSQL's: lines `-- type options: ListingOptions`. */
  types: Map<string, string>
}

/** Comments, texts and casts, which stay; parameters; marked names; other quoted names. */
const tokens = /--.*|'(?:[^']|'')*'|::|:([a-z_]\w*)(\??)|"(\w+)([?!])"|"[^"]*"/g
const importLine = /^-- (import type \{.*)$/
const unprepared = /^unprepared, since /
const typeLine = /^type (\w+): (.+)$/

/**
 * Parses a `queries.sql`: lines `-- import type { Name } from '...'`, then statements, each under a line `-- name: findItem`
 * and its comment. Throws if text stands anywhere else.
 */
export function parseQueries(file: string): { imports: string[]; queries: Query[] } {
  const [top = '', ...parts] = file.split(/^-- name: /m)
  const imports = top.split('\n').filter((line) => line.trim() !== '')
  if (!imports.every((line) => importLine.test(line))) throw new Error('A statement lacks the line "-- name: ...".')
  return { imports: imports.map((line) => importLine.exec(line)![1]!), queries: parts.map(parseQuery) }
}

function parseQuery(part: string): Query {
  const [name = '', ...lines] = part.trim().split('\n')
  if (!/^[a-z]\w*$/.test(name)) throw new Error(`"${name}" cannot name a statement.`)
  const start = lines.findIndex((line) => !line.startsWith('--'))
  const parameters: string[] = []
  const optional = new Set<string>()
  const marks: Query['marks'] = new Map()
  const bind = (token: string, parameter?: string, isOptional?: string, column?: string, mark?: string) => {
    if (column !== undefined) {
      marks.set(column, mark!)
      return /[A-Z]/.test(column) ? `"${column}"` : column
    }
    if (parameter === undefined) return token.startsWith('--') ? '' : token
    if (!parameters.includes(parameter)) parameters.push(parameter)
    if (isOptional) optional.add(parameter)
    return `$${parameters.indexOf(parameter) + 1}`
  }
  const text = lines.slice(start).join('\n').replace(tokens, bind)
  const above = lines.slice(0, start).map((line) => line.replace(/^-- ?/, ''))
  return {
    name,
    comment: above.filter((line) => !typeLine.test(line) && !unprepared.test(line)).join('\n'),
    text: text
      .replace(/[ \t]+$/gm, '')
      .replace(/\n{2,}/g, '\n')
      .trim(),
    parameters,
    optional,
    marks,
    isPrepared: !above.some((line) => unprepared.test(line)),
    types: new Map(above.flatMap((line) => (typeLine.test(line) ? [typePair(line)] : []))),
  }
}

function typePair(line: string): [column: string, type: string] {
  const [, column, type] = typeLine.exec(line)!
  return [column!, type!]
}

/** A statement as PostgreSQL describes it: oids of the parameters' types, and the columns. */
interface Description {
  parameters: number[]
  fields: { name: string; tableID: number; columnID: number; dataTypeID: number }[]
}

/** The driver's connection. Its types leave these methods out. */
interface Wire {
  parse(query: { name: string; text: string; types: number[] }): void
  describe(message: { type: 'S'; name: string }): void
  sync(): void
  on(event: string, listener: (message: never) => void): void
  listeners(event: string): ((message: never) => void)[]
  removeAllListeners(event: string): void
}

/** Returns PostgreSQL's description of a statement without running it. Throws its error if the statement is wrong. */
async function describe(wire: Wire, text: string): Promise<Description> {
  const events = ['parameterDescription', 'rowDescription', 'errorMessage', 'readyForQuery']
  const drivers = events.map((event) => [event, wire.listeners(event)] as const)
  const description: Description = { parameters: [], fields: [] }
  let error: Error | null = null
  for (const event of events) wire.removeAllListeners(event)
  try {
    await new Promise<void>((resolve) => {
      wire.on('parameterDescription', (message: { dataTypeIDs: number[] }) => {
        description.parameters = message.dataTypeIDs
      })
      wire.on('rowDescription', ({ fields }: Description) => {
        description.fields = fields
      })
      wire.on('errorMessage', (message: Error) => {
        error = message
      })
      wire.on('readyForQuery', () => resolve())
      wire.parse({ name: '', text, types: [] })
      wire.describe({ type: 'S', name: '' })
      wire.sync()
    })
  } finally {
    for (const [event, listeners] of drivers) {
      wire.removeAllListeners(event)
      for (const listener of listeners) wire.on(event, listener)
    }
  }
  if (error) throw error
  return description
}

/** The types and columns of a database. */
interface Catalog {
  /** Types by oid, and for arrays the oid of their elements; 0 for others. */
  types: Map<number, { name: string; element: number }>
  /** Columns by `tableOid:number`. `values`: all that a check allows; null without such a check. */
  columns: Map<string, { isNotNull: boolean; values: string[] | null }>
}

async function readCatalog(db: Database): Promise<Catalog> {
  const types = await db.any<{ oid: number; name: string; element: number }>(
    `select oid::integer, typname as name, case typcategory when 'A' then typelem else 0 end::integer as element
     from pg_type`,
  )
  const columns = await db.any<{ id: string; isNotNull: boolean; check: string | null }>(
    `select attribute.attrelid || ':' || attribute.attnum as id, attribute.attnotnull as "isNotNull", (
       select pg_get_constraintdef(con.oid) from pg_constraint con
       where con.conrelid = class.oid and con.contype = 'c' and con.conkey = array[attribute.attnum]
         and pg_get_constraintdef(con.oid) like 'CHECK (%= ANY (ARRAY[%'
       limit 1
     ) as check
     from pg_attribute attribute
     join pg_class class on class.oid = attribute.attrelid and class.relnamespace = 'public'::regnamespace
     where attribute.attnum > 0 and not attribute.attisdropped`,
  )
  return {
    types: new Map(types.map(({ oid, ...type }) => [oid, type])),
    columns: new Map(columns.map(({ id, isNotNull, check }) => [id, { isNotNull, values: valuesOf(check) }])),
  }
}

/** Returns the texts of a check like `CHECK ((kind = ANY (ARRAY['list'::text, 'delist'::text])))`; null of another. */
function valuesOf(check: string | null): string[] | null {
  const list = /^CHECK \(+\w+ = ANY \(ARRAY\[(('[\w-]+'::text(, )?)+)\]\)+$/.exec(check ?? '')?.[1]
  return list === undefined ? null : [...list.matchAll(/'([\w-]+)'/g)].map(([, value]) => value!)
}

/** Types of values as the driver returns them (server/infra/db/index.ts sets its parsers). */
const returned: Record<string, string> = {
  ...{ text: 'string', varchar: 'string', bpchar: 'string', char: 'string', name: 'string', uuid: 'string' },
  ...{ timestamptz: 'string', date: 'string', numeric: 'string', inet: 'string', cidr: 'string', regclass: 'string' },
  ...{ int2: 'number', int4: 'number', int8: 'number', float4: 'number', float8: 'number', oid: 'number' },
  ...{ bool: 'boolean', bytea: 'Buffer', json: 'unknown', jsonb: 'unknown', void: 'unknown' },
}
/** Types of values that it can bind. */
const bound: Record<string, string> = {
  ...returned,
  ...{ int8: 'number | string', numeric: 'number | string', timestamptz: 'string | Date', interval: 'string' },
}

function typeOf(catalog: Catalog, oid: number, names: Record<string, string>): string {
  const { name, element } = catalog.types.get(oid)!
  if (element) {
    const inner = typeOf(catalog, element, names)
    return names === bound ? `readonly (${inner} | null)[]` : `${inner}[]`
  }
  const type = names[name]
  if (!type) throw new Error(`No TypeScript type stands for ${name}.`)
  return type
}

function render(catalog: Catalog, folder: string, query: Query, { parameters, fields }: Description): string {
  const name = `${relative('server', folder)}/${query.name}`
  if (name.length > 63) throw new Error(`${name} is longer than the 63 characters of a name in PostgreSQL.`)
  const values = parameters.map((oid, place) => {
    const name = query.parameters[place]!
    return `${name}: ${typeOf(catalog, oid, bound)}${query.optional.has(name) ? ' | null' : ''}`
  })
  const row = fields.map((field) => {
    const column = catalog.columns.get(`${field.tableID}:${field.columnID}`)
    const known = column?.values?.map((value) => `'${value}'`).join(' | ')
    const platform = field.name === 'platform' ? 'PlatformSlug' : undefined
    const type = query.types.get(field.name) ?? platform ?? known ?? typeOf(catalog, field.dataTypeID, returned)
    const mark = query.marks.get(field.name)
    const isNull = mark ? mark === '?' : !column?.isNotNull
    return `${/^\w+$/.test(field.name) ? field.name : JSON.stringify(field.name)}: ${type}${isNull && type !== 'unknown' ? ' | null' : ''}`
  })
  const unknown = [...query.types.keys(), ...query.marks.keys()].filter(
    (column) => !fields.some((field) => field.name === column),
  )
  if (unknown.length > 0) throw new Error(`It does not return ${unknown.join(', ')}.`)
  const typed = [values, row].map((members) => (members.length > 0 ? `{ ${members.join('; ')} }` : null))
  return `/** ${query.comment.replaceAll('*/', '* /').replace(/\n/g, '\n * ')} */
export const ${query.name} = statement<${typed[0] ?? 'object'}, ${typed[1] ?? 'void'}>(
  ${query.isPrepared ? `'${name}'` : 'null'},
  [${query.parameters.map((parameter) => `'${parameter}'`).join(', ')}],
  \`${query.text.replace(/[\\`]|\$\{/g, '\\$&')}\`,
)
`
}

/**
 * Returns the `queries.ts` of every `queries.sql` by its path: typed functions that make prepared statements, with the types
 * that PostgreSQL describes. `db` has the schema of this tree. Throws an error that names each wrong statement.
 */
export async function queriesFiles(db: Database): Promise<Map<string, string>> {
  const catalog = await readCatalog(db)
  const connection = await db.connect()
  const wire = (connection as unknown as { client: { connection: Wire } }).client.connection
  const files = new Map<string, string>()
  const wrong: string[] = []
  try {
    for await (const path of glob('server/**/queries.sql', { cwd: root })) {
      const folder = dirname(path)
      const { imports, queries } = parseQueries(await readFile(join(root, path), 'utf8'))
      const parts: string[] = []
      for (const query of queries) {
        try {
          parts.push(render(catalog, folder, query, await describe(wire, query.text)))
        } catch (error) {
          wrong.push(`${path}, ${query.name}: ${(error as Error).message}`)
        }
      }
      const usesSlug = /\bPlatformSlug\b/.test(parts.join()) && !/\bPlatformSlug\b/.test(imports.join())
      const head = [
        '// Made from queries.sql by `npm run queries`. Do not edit.',
        "import { statement } from '#server/infra/db/statement.ts'",
        ...(usesSlug ? ["import type { PlatformSlug } from '#shared/platforms.ts'"] : []),
        ...imports,
      ]
      files.set(join(folder, 'queries.ts'), `${head.join('\n')}\n\n${parts.join('\n')}`)
    }
  } finally {
    connection.done()
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  return files
}

/** Writes every `queries.ts` from a database of its own, or throws for those that are stale. */
async function write(isCheck: boolean): Promise<void> {
  const { closeDatabase, openDatabase } = await import('#server/infra/db/index.ts')
  const { startEmbeddedDatabase } = await import('#server/infra/db/embedded.ts')
  const { migrate } = await import('#server/infra/db/migrate.ts')
  const { openJobs } = await import('#server/infra/jobs/index.ts')
  const { createLog } = await import('#server/infra/log/log.ts')
  const directory = await mkdtemp(join(tmpdir(), 'hapax-queries-'))
  const server = await startEmbeddedDatabase(directory, { throwaway: true, database: 'queries' })
  try {
    await migrate(server.url)
    // Some statements read the tables of the queue.
    await (await openJobs({ url: server.url, works: false, log: createLog('error') })).stop()
    const db = openDatabase({ url: server.url })
    const stale: string[] = []
    for (const [path, text] of await queriesFiles(db)) {
      if (isCheck && (await readFile(join(root, path), 'utf8').catch(() => '')) !== text) stale.push(path)
      if (!isCheck) await writeFile(join(root, path), text)
    }
    if (stale.length > 0) throw new Error(`These are stale, so run \`npm run queries\`: ${stale.join(', ')}`)
    await closeDatabase(db)
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

if (import.meta.main) await write(process.argv.includes('--check'))
