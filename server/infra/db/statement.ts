/** A statement with its values, as pg-promise's methods take it. */
export interface Statement<Row> {
  /** Unique within the program: PostgreSQL keeps the plan of a connection under it. Without one it plans each time. */
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
  /** Only for the types: no statement has it. */
  readonly row?: Row
}

/** The rows of a statement of a `queries.ts`. */
export type RowOf<Make extends (...values: never[]) => Statement<unknown>> =
  ReturnType<Make> extends Statement<infer Row> ? Row : never

/** Returns what makes a statement of its values by name. Made for each statement of a `queries.sql` by `npm run queries`. */
export function statement<Values extends object, Row>(
  name: string | null,
  parameters: readonly (keyof Values)[],
  text: string,
): (...values: keyof Values extends never ? [] : [Values]) => Statement<Row> {
  // pg-promise prepares whatever has a name.
  const fixed = name === null ? { text } : { name, text }
  return (...[values]) => ({ ...fixed, values: parameters.map((parameter) => (values as Values)[parameter]) })
}
