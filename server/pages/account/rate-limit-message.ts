/** Returns the message for a mail that was requested too often; `seconds` is the wait. */
export function rateLimitMessage(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return `That was asked for too often. Use the newest link that you got, or wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}
