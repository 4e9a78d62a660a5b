/** What has to be done before the database is closed, such as writing what was gathered in memory. */
export interface AtStop {
  add(run: () => Promise<void>): void
  /** Runs everything once, the last added first; one that fails does not keep the others from running. */
  run(): Promise<void>
}

export function createAtStop(): AtStop {
  const steps: (() => Promise<void>)[] = []
  return {
    add: (run) => void steps.push(run),
    async run() {
      const results = await Promise.allSettled(
        steps
          .splice(0)
          .reverse()
          .map((step) => step()),
      )
      const failures = results.filter((result) => result.status === 'rejected')
      if (failures.length > 0) {
        throw new AggregateError(
          failures.map(({ reason }) => reason),
          'not everything could be written at the stop',
        )
      }
    },
  }
}
