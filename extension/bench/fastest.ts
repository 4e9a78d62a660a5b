/** Returns the fastest of several runs in ms, which other load disturbs least. */
export function fastestMs(work: () => void, runs = 20): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const begun = performance.now()
    work()
    fastest = Math.min(fastest, performance.now() - begun)
  }
  return fastest
}
