/** fetch as adapters are given it, so that tests and quotas can stand in between. */
export interface Fetch {
  (url: string, init?: RequestInit): Promise<Response>
  /**
   * Takes calls to an address out of the platform's budget before they are made (`withReservedCalls`). Throws PlatformError
   * `rate_limited`. Absent where there is no budget.
   */
  reserve?(url: string, calls: number): Promise<void>
}
