/** How long events are kept, with what became of their deliveries. */
export const keptDays = 30

/** Events of one account that are kept at most, the newest of them: a flood of changes must not fill the disk. */
export const mostEvents = 500_000
