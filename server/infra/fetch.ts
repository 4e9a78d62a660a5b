/** The fetch that adapters use, so that quotas can intercept it. */
export interface Fetch {
  (url: string, init?: RequestInit): Promise<Response>
  /**
   * Reserves calls of the platform's budget in advance (`withReservedCalls`). Throws PlatformError `rate_limited`.
   * Absent without a budget.
   */
  reserve?(url: string, calls: number): Promise<void>
}
