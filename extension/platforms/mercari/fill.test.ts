// @vitest-environment happy-dom
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fillForm, type Outcome } from '../sell-form/form.ts'
import type { ListingDraft } from '../sell-form/listing-draft.ts'
import { mercariForm } from './fill.ts'

/** The simulated DOM has no layout. */
beforeAll(() => {
  Object.assign(Element.prototype, {
    checkVisibility(this: Element) {
      return this.isConnected && !this.closest('[hidden], dialog:not([open])')
    },
    getClientRects: () => [{}],
  })
})

const draft: ListingDraft = {
  ...{ task: 'tsk_1', title: 'Wool coat, green', description: 'Kept folded.', price_minor: 4_500, currency: 'USD' },
  ...{ condition: 'Good', size: 'M', brand: null, category: ['Women', 'Coats & jackets', 'Trench'] },
  ...{ colors: [], sku: null, pictures: 0 },
}

/** The chooser as other sellers' tools drive it: a dialog with one level at a time (August to November 2026). */
const tree: Record<string, string[]> = {
  '': ['Suggested: Men > Coats', 'All Categories'],
  all: ['Men', 'Women', 'Kids'],
  Women: ['Dresses', 'Coats & jackets'],
  'Coats & jackets': ['Trench', 'Puffer', 'Other'],
}

function drawForm({ smart = false } = {}): void {
  document.body.innerHTML = `<main><input data-testid="Title" id="sellName"><textarea data-testid="Description"></textarea>
<button data-testid="SellCategoryFieldButton">Category</button><div id="size"></div>
<label data-testid="ConditionGood"><input type="radio" name="sellCondition" id="3">Good</label>
<input data-testid="Price" id="Price"><section><h3>Smart pricing</h3><button aria-pressed="${smart}"></button></section></main>`
  const opener = document.querySelector<HTMLElement>('[data-testid="SellCategoryFieldButton"]')!
  const chosen: string[] = []
  const level = (name: string) => {
    document.querySelector('[role="dialog"]')?.remove()
    const entries = tree[name]
    if (!entries) {
      opener.textContent = chosen.join(' > ')
      document.querySelector('#size')!.innerHTML =
        '<button data-testid="Size">Size</button><ul><li data-testid="Size-option">S (4-6)</li><li data-testid="Size-option">M (8-10)</li></ul>'
      for (const option of document.querySelectorAll<HTMLElement>('[data-testid="Size-option"]')) {
        option.onclick = () => {
          document.querySelector('[data-testid="Size"]')!.textContent = option.textContent
        }
      }
      return
    }
    const dialog = document.createElement('div')
    dialog.setAttribute('role', 'dialog')
    dialog.innerHTML = `<input data-testid="CategorySearchInput"><button aria-label="Close">×</button>${entries.map((one) => `<button>${one.replace('&', '&amp;')}</button>`).join('')}`
    dialog.onclick = ({ target }) => {
      const word = (target as HTMLElement).textContent
      if (word === 'All Categories') return level('all')
      if (word === '×' || !(target as HTMLElement).matches('button')) return dialog.remove()
      chosen.push(word)
      level(word)
    }
    document.body.append(dialog)
  }
  opener.onclick = () => level('')
}

async function fill(changes: Partial<ListingDraft> = {}): Promise<Record<string, Pick<Outcome, 'result' | 'why'>>> {
  const tools = { pictures: async () => [], account: async () => null }
  const outcomes = await fillForm(mercariForm.steps({ ...draft, ...changes }, tools), () => {})
  return Object.fromEntries(outcomes.map(({ field, result, why }) => [field, { result, why }]))
}

describe('the sell form of Mercari', () => {
  beforeEach(() => drawForm())

  it('takes the category from its dialog, and the size after it', async () => {
    const { category, size } = await fill()
    expect([category?.result, size?.result]).toEqual(['filled', 'filled'])
    expect(document.querySelector('[data-testid="SellCategoryFieldButton"]')!.textContent).toBe(
      'Women > Coats & jackets > Trench',
    )
    expect(document.querySelector('[data-testid="Size"]')!.textContent).toBe('M (8-10)')
  })

  it('leaves the chooser closed if no category fits', async () => {
    const { category } = await fill({ category: ['Garden tools'], title: 'Rake' })
    expect(category).toEqual({ result: 'left', why: 'no_option' })
    expect(document.querySelector('[role="dialog"]')).toBeNull()
  })

  it('writes over the texts that Mercari reads from the photos', async () => {
    const title = document.querySelector<HTMLInputElement>('#sellName')!
    document.querySelector<HTMLElement>('[data-testid="ConditionGood"]')!.onclick = () => {
      title.value = 'Green jacket'
    }
    expect((await fill()).title).toEqual({ result: 'filled', why: null })
    expect(title.value).toBe('Wool coat, green')
  })

  it('says so if Mercari keeps its own text', async () => {
    const title = document.querySelector<HTMLInputElement>('#sellName')!
    document.querySelector<HTMLElement>('[data-testid="ConditionGood"]')!.onclick = () => {
      Object.defineProperty(title, 'value', { get: () => 'Green jacket', set: () => {}, configurable: true })
    }
    expect((await fill()).title).toEqual({ result: 'check', why: 'overwritten' })
  })

  it('keeps a text of the seller', async () => {
    document.querySelector<HTMLInputElement>('#sellName')!.value = 'My own words'
    expect((await fill()).title).toEqual({ result: 'left', why: 'kept' })
  })

  it.each([
    [true, { result: 'check', why: 'smart_pricing' }],
    [false, { result: 'filled', why: null }],
  ])('says whether Smart Pricing is on: %s', async (smart, expected) => {
    drawForm({ smart })
    expect((await fill()).price).toEqual(expected)
  })
})
