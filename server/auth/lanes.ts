/**
 * At most `width` runs at once for one key; others of the key wait in line. For work that is counted beforehand and
 * given back afterwards: honest parallel calls then never look like many failures.
 */
export function createLanes(width: number): <Result>(key: string, run: () => Promise<Result>) => Promise<Result> {
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (key, run) => {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] }
    lanes.set(key, lane)
    if (lane.running >= width) await new Promise<void>((resolve) => lane.waiting.push(resolve))
    else lane.running++
    try {
      return await run()
    } finally {
      const next = lane.waiting.shift()
      if (next) next()
      else if (--lane.running === 0) lanes.delete(key)
    }
  }
}
