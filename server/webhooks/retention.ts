/** Days that events and their deliveries are kept. */
export const retentionDays = 30

/** Events kept per account, newest first, so that a flood of changes cannot fill the disk. */
export const maxEvents = 500_000
