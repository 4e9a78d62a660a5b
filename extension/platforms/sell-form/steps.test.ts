import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { ListingDraft } from './listing-draft.ts'
import { photosStep } from './steps.ts'

/** As much of a page as a file field needs. */
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

/** A file field that keeps what it is given, or empties itself once the site has the files. */
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

/** Fills the field in for a task with two pictures, named after it. */
async function fill(find: () => HTMLInputElement, task: string) {
  const pictures = async (max: number) => [1, 2].slice(0, max).map((n) => new File([], `${task}-${n}`))
  const options = { find, max: 8, highlight: () => null }
  const [, step] = photosStep({ task, pictures: 2 } as ListingDraft, { pictures, account: async () => null }, options)
  const { result, why } = await step()
  return why ? `${result}: ${why}` : result
}

describe('the pictures of a sell form', () => {
  it.each([{ empties: false }, { empties: true }])('are put in once for an item (%o)', async (options) => {
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

  it('of another item are known where each picture has a field of its own', async () => {
    const slots = [1, 2, 3].map(() => fileField({ multiple: false }).field)
    const free = () => slots.find(({ files }) => files!.length === 0)!
    expect(await fill(free, 'coat')).toBe('filled')
    expect(slots.map(({ files }) => files!.length)).toEqual([1, 1, 0])
    expect(await fill(() => slots[1]!, 'boots')).toBe('left: kept')
  })

  it('that the seller chose are not called filled in', async () => {
    const { field, sent } = fileField({ files: [new File([], 'own')] })
    expect(await fill(() => field, 'coat')).toBe('left: kept')
    expect(sent).toEqual([])
  })
})
