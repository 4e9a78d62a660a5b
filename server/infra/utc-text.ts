/** Returns a time for sentences: "2026-11-27 10:05 UTC". */
export function utcText(time: string | number | Date): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
