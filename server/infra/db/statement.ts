/** A prepared statement with its values, as pg-promise's methods take it. */
export interface Statement<Row> {
  /** Unique within the program. PostgreSQL keeps the plan of a connection under it. */
  readonly name: string
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
  name: string,
  parameters: readonly (keyof Values)[],
  text: string,
): (...values: keyof Values extends never ? [] : [Values]) => Statement<Row> {
  return (...[values]) => ({ name, text, values: parameters.map((parameter) => (values as Values)[parameter]) })
}
