/** Settings of a simulation, derived from its seed. */
export interface Settings {
  seed: number
  platforms: number
  items: number
  /** Duration of purchases and faults, and of the calm time before the check. */
  activeMs: number
  calmMs: number
  /** Average time between purchases of a live listing. */
  buyEveryMs: number
  /** Share of purchases that are followed by one on another platform within seconds. */
  rush: number
  cancels: number
  repays: number
  pendings: number
  pushLost: number
  pushRepeated: number
  pushDelayMs: number
  /** Maximum age of read data. */
  lagMs: number
  /** Share of orders that a platform shows and pushes up to a day late. */
  late: number
  callMs: number
  callFails: number
  outages: number
  /** Probability that a worker crashes at each step. */
  crash: number
  notificationLost: number
  /** Clock error of each worker. */
  clockOffMs: [number, number]
  /** Clock error of each platform. */
  platformClockOffMs: number[]
  pollCallsPerDay: number
}

const minuteMs = 60_000

/** Draws settings from mild to severe, in all combinations. */
export function drawSettings(seed: number, random: () => number): Settings {
  const pick = <Value>(...values: Value[]): Value => values[Math.floor(random() * values.length)]!
  const late = random() < 0.06 ? 0.3 : 0
  const off = () => (random() < 0.3 ? Math.round((random() - 0.5) * 10 * minuteMs) : 0)
  return {
    seed,
    platforms: pick(2, 2, 3, 4, 5),
    items: pick(3, 5, 8),
    activeMs: 15 * minuteMs,
    calmMs: late > 0 ? 26 * 60 * minuteMs : 75 * minuteMs,
    buyEveryMs: pick(4, 10, 20) * minuteMs,
    rush: pick(0, 0.2, 0.6),
    cancels: pick(0, 0.1, 0.4),
    repays: pick(0, 0.3),
    pendings: pick(0, 0.2),
    pushLost: pick(0, 0, 0.2, 1),
    pushRepeated: pick(0, 0.3),
    pushDelayMs: pick(300, 2_000, 60_000, 600_000),
    lagMs: pick(0, 0, 3_000, 120_000),
    late,
    callMs: pick(100, 400, 2_000),
    callFails: pick(0, 0, 0.05, 0.3),
    outages: pick(0, 0, 1, 3),
    crash: pick(0, 0, 0.002, 0.02),
    notificationLost: pick(0, 0.1),
    clockOffMs: [off(), off()],
    platformClockOffMs: [off(), off(), off(), off(), off()],
    pollCallsPerDay: late > 0 ? 2_000 : pick(3_000, 12_000, 40_000),
  }
}
