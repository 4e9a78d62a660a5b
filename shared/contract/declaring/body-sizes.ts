/** Largest bodies in bytes, by the name of their way in (server/infra/ways-in/ways-in.ts). */
export const bodySizes = { batch: 8_000_000, bulk: 4_000_000, csv: 15_000_000, upload: 15_000_000 }
