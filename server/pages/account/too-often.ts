/** What somebody reads who asked for a mail too often; the wait in seconds. */
export function tooOften(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return `That was asked for too often. Use the newest link that you got, or wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}
