import pgPromise from 'pg-promise'

const { as: format } = pgPromise

/** A query that connections keep parsed and planned: one that runs so often that its planning counts. */
interface Prepared {
  name: string
  /** With $1, $2 in place of its named parameters. */
  text: string
  parameters: string[]
}

type Values = Record<string, unknown>

const known = new Map<object, Prepared>()
const namesOn = new WeakMap<object, Set<string>>()
const plannedAt = new WeakMap<object, number>()

/**
 * For how long, in milliseconds, a connection goes by its plans. PostgreSQL keeps one until the table is analyzed anew, a minute
 * or more after thousands of rows came into an empty one; until then each call went through all of them.
 */
const plansLastMs = 15_000

let count = 0

/** Has connections keep the query of a file. Its parameters are plain ones, of types that PostgreSQL can tell by itself. */
export function prepared(query: pgPromise.QueryFile): pgPromise.QueryFile {
  if (known.has(query)) return query
  const parameters: string[] = []
  const source: string = (query as unknown as Record<symbol, (self: unknown) => string>)[format.ctf.toPostgres]!(query)
  const text = source.replace(/\$\{(\w+)\}/g, (_whole, name: string) => {
    if (!parameters.includes(name)) parameters.push(name)
    return `$${parameters.indexOf(name) + 1}`
  })
  known.set(query, { name: `hapax_${++count}`, text, parameters })
  return query
}

/** The texts of all prepared queries, by their names. */
export function preparedTexts(): [name: string, text: string][] {
  return [...known.values()].map(({ name, text }) => [name, text])
}

/** The query with its values, to be run by itself. */
export function single(query: pgPromise.QueryFile, values: Values): pgPromise.PreparedStatement {
  const { name, text, parameters } = known.get(query) ?? missing()
  const statement = new pgPromise.PreparedStatement({ name: `${name}_single`, text })
  statement.values = parameters.map((parameter) => valueNamed(values, parameter))
  return statement
}

/** What has to be sent on a connection before `executeText`: what it lacks, and an end to plans that are old; null for nothing. */
export function prepareText(connection: object, queries: readonly unknown[]): { text: string; done(): void } | null {
  const names = namesOn.get(connection) ?? new Set()
  const missing = new Set<Prepared>()
  let isAnyPlanned = false
  for (const query of queries) {
    const one = typeof query === 'object' && query ? known.get(query) : undefined
    if (one && !names.has(one.name)) missing.add(one)
    isAnyPlanned ||= one !== undefined && names.has(one.name)
  }
  const now = Date.now()
  const isOld = isAnyPlanned && now - (plannedAt.get(connection) ?? now) >= plansLastMs
  if (missing.size === 0 && !isOld) return null
  return {
    text: [
      ...(isOld ? ['discard plans'] : []),
      ...[...missing].map(({ name, text }) => `prepare ${name} as ${text}`),
    ].join(';'),
    done: () => {
      for (const { name } of missing) names.add(name)
      namesOn.set(connection, names)
      if (isOld || !plannedAt.has(connection)) plannedAt.set(connection, now)
    },
  }
}

/** The call of a prepared query; null for one that is not. */
export function executeText(query: unknown, values: unknown): string | null {
  const one = typeof query === 'object' && query ? known.get(query) : undefined
  if (!one) return null
  if (one.parameters.length === 0) return `execute ${one.name}`
  const given = one.parameters.map((parameter) => format.format('$1', [valueNamed(values as Values, parameter)]))
  return `execute ${one.name}(${given.join(',')})`
}

function valueNamed(values: Values, parameter: string): unknown {
  if (values[parameter] === undefined) throw new Error(`the query needs ${parameter}`)
  return values[parameter]
}

function missing(): never {
  throw new Error('the query is not a prepared one')
}
