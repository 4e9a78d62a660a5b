import { sendWithRetry } from './send-with-retry.ts'

/** Number of pictures fetched in parallel. */
const atOnce = 3

/** Fetches the first `max` pictures of a task's item, in order. Omits those that fail. */
export async function fetchPictures(task: string, max: number): Promise<File[]> {
  const files: (File | null)[] = []
  for (let first = 0; first < max; first += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, max - first) }, (_, index) => first + index)
    files.push(...(await Promise.all(numbers.map((n) => fetchPicture(task, n)))))
  }
  return files.filter((file) => file !== null)
}

async function fetchPicture(task: string, n: number): Promise<File | null> {
  try {
    const { type, data } = await sendWithRetry('page.picture', { task, n })
    const name = `photo-${n + 1}.${type === 'image/png' ? 'png' : 'jpg'}`
    return new File([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))], name, { type })
  } catch {
    // The panel reports missing pictures.
    return null
  }
}
