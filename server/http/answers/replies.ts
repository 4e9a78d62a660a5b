/** Replies 200 with what a promise resolves to. */
export const ok = async <Body>(body: Promise<Body>) => ({ status: 200 as const, body: await body })

/** Replies 201 with what a promise resolves to. */
export const created = async <Body>(body: Promise<Body>) => ({ status: 201 as const, body: await body })

/** Replies 204 once the work is done. */
export async function noContent(work: Promise<unknown>) {
  await work
  return { status: 204 as const }
}
