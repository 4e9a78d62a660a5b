/** Work that the server does at its shutdown. */
export interface ShutdownSteps {
  /** Aborts before the server waits for open responses, for responses that do not end by themselves. */
  signal: AbortSignal
  /** Adds a step that runs before the database is closed, such as flushing a buffer. */
  add(step: () => Promise<void>): void
  /** Aborts the signal. */
  begin(): void
  /** Runs each step once, even if others fail. */
  run(): Promise<void>
}

/** Creates a shutdown without steps. */
export function createShutdownSteps(): ShutdownSteps {
  const stopping = new AbortController()
  const steps: (() => Promise<void>)[] = []
  return {
    signal: stopping.signal,
    add: (step) => void steps.push(step),
    begin: () => stopping.abort(),
    async run() {
      stopping.abort()
      const results = await Promise.allSettled(steps.splice(0).map((step) => step()))
      const failures = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason)
      if (failures.length > 0) throw new AggregateError(failures, 'not everything could be written at the stop')
    },
  }
}
