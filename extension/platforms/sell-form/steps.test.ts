import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { ListingDraft } from './listing-draft.ts'
import { photosStep } from './steps.ts'

/** Stubs the DOM APIs that a file field needs. */
beforeAll(() => {
  vi.stubGlobal('document', {})
  vi.stubGlobal(
    'MutationObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  vi.stubGlobal(
    'DataTransfer',
    class {
      files: File[] = []
      items = { add: (file: File) => this.files.push(file) }
    },
  )
})

/** Creates a file field that keeps its files, or empties itself after the site read them. */
function fileField({ empties = false, multiple = true, files = [] as File[] } = {}) {
  const sent: string[] = []
  const field = {
    multiple,
    isConnected: true,
    files,
    dispatchEvent({ type }: Event) {
      if (type !== 'change') return
      sent.push(...field.files.map(({ name }) => name))
      if (empties) field.files = []
    },
  }
  return { field: field as unknown as HTMLInputElement, sent }
}

/** Runs the photos step for a task with two pictures named after it. */
async function fill(find: () => HTMLInputElement, task: string) {
  const pictures = async (max: number) => [1, 2].slice(0, max).map((n) => new File([], `${task}-${n}`))
  const options = { find, max: 8, highlight: () => null }
  const [, step] = photosStep({ task, pictures: 2 } as ListingDraft, { pictures, account: async () => null }, options)
  const { result, why } = await step()
  return why ? `${result}: ${why}` : result
}

describe('the photos step', () => {
  it.each([{ empties: false }, { empties: true }])('attaches the pictures of an item once (%o)', async (options) => {
    const { field, sent } = fileField(options)
    expect(await fill(() => field, 'coat')).toBe('filled')
    expect(await fill(() => field, 'coat')).toBe('filled')
    expect(sent).toEqual(['coat-1', 'coat-2'])
  })

  it.each([{ empties: false }, { empties: true }])(
    "of another item's are not called filled in (%o)",
    async (options) => {
      const { field, sent } = fileField(options)
      await fill(() => field, 'coat')
      expect(await fill(() => field, 'boots')).toBe('left: kept')
      expect(sent).toEqual(['coat-1', 'coat-2'])
    },
  )

  it('replaces another item’s pictures in separate fields', async () => {
    const slots = [1, 2, 3].map(() => fileField({ multiple: false }).field)
    const free = () => slots.find(({ files }) => files!.length === 0)!
    expect(await fill(free, 'coat')).toBe('filled')
    expect(slots.map(({ files }) => files!.length)).toEqual([1, 1, 0])
    expect(await fill(() => slots[1]!, 'boots')).toBe('left: kept')
  })

  it('does not report the seller’s own pictures as filled', async () => {
    const { field, sent } = fileField({ files: [new File([], 'own')] })
    expect(await fill(() => field, 'coat')).toBe('left: kept')
    expect(sent).toEqual([])
  })
})
