/** How long events are kept, with what became of their deliveries. */
export const keptDays = 30
