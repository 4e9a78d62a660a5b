/** Another worker has the lease, or the work is over. The holder must stop and write nothing more. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}
