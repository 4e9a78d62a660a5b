/** What has to be done when the server stops. */
export interface AtStop {
  /** Told first of all, before the server waits for its open answers: for answers that have no end of their own. */
  addFirst(run: () => void): void
  /** Before the database is closed, such as writing what was gathered in memory. */
  add(run: () => Promise<void>): void
  /** Stopping has begun. */
  begin(): void
  /** Runs everything once, the last added first; one that fails does not keep the others from running. */
  run(): Promise<void>
}

/** An empty list of what has to be done. */
export function createAtStop(): AtStop {
  const firsts: (() => void)[] = []
  const steps: (() => Promise<void>)[] = []
  const begin = () => {
    for (const first of firsts.splice(0)) first()
  }
  return {
    addFirst: (run) => void firsts.push(run),
    add: (run) => void steps.push(run),
    begin,
    async run() {
      begin()
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
