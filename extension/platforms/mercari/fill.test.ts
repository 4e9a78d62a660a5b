// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import { simulateLayout } from '#extension/testing/simulated-layout.ts'
import { fillForm, type Outcome } from '../sell-form/form.ts'
import type { ListingDraft } from '../sell-form/listing-draft.ts'
import { mercariSteps } from './fill.ts'

simulateLayout()

const draft: ListingDraft = {
  ...{
    task: 'tsk_1',
    title: 'Wool coat, green',
    description: 'Kept folded in a smoke-free home.',
    price_minor: 4_500,
    currency: 'USD',
  },
  ...{ condition: 'Good', size: 'M', brand: null, category: ['Women', 'Coats & jackets', 'Trench'] },
  ...{ colors: [], sku: null, pictures: 0 },
}

/**
 * The chooser as other sellers' tools drive it (August to November 2026): a dialog with a search, rows that name a whole
 * category, and one level at a time.
 */
const tree: Record<string, string[]> = {
  '': ['Suggested', 'Men > Coats & jackets > Trench', 'All Categories'],
  all: ['Men', 'Women', 'Kids'],
  Men: ['Coats & jackets'],
  Women: ['Dresses', 'Coats & jackets'],
  'Coats & jackets': ['Trench', 'Puffer', 'Other'],
}
const paths = ['Men > Coats & jackets > Trench', 'Women > Dresses > Trench', 'Women > Coats & jackets > Trench']

interface Form {
  smart?: string
  sizes?: string
  /** How a row of the chooser is drawn. */
  row?: (word: string) => string
  start?: string[]
}

const row = (word: string) =>
  `<button data-testid="CategoryRow"><p>${word.replaceAll('&', '&amp;')}</p><i></i></button>`
const sizeMenu =
  '<button data-testid="Size">Size</button><ul><li data-testid="Size-option">S (4-6)</li><li data-testid="Size-option">M (8-10)</li><li data-testid="Size-option">M (8-10)</li></ul>'
const smartPricing = (state: string) =>
  `<section><h3>Smart pricing</h3><button data-testid="SmartPricingButton" ${state}</button></section>`

function drawForm({
  smart = smartPricing('aria-pressed="false">OFF'),
  sizes = sizeMenu,
  row: draw = row,
  start = tree['']!,
}: Form = {}): void {
  document.body.innerHTML = `<main><input data-testid="Title" id="sellName"><textarea data-testid="Description"></textarea>
<button data-testid="SellCategoryFieldButton">Category</button><div id="size"></div>
<input data-testid="Brand"><label><input type="checkbox" checked>No brand / Not sure</label>
<label data-testid="ConditionGood"><input type="radio" name="sellCondition" id="3">Good</label>
<input data-testid="Price" id="Price">${smart}</main>`
  const opener = document.querySelector<HTMLElement>('[data-testid="SellCategoryFieldButton"]')!
  const chosen: string[] = []
  const end = (category: string) => {
    opener.textContent = category
    document.querySelector('#size')!.innerHTML = sizes
    for (const option of document.querySelectorAll<HTMLElement>('[data-testid="Size-option"]')) {
      option.onclick = () => {
        document.querySelector('[data-testid="Size"]')!.textContent = option.textContent
      }
    }
  }
  const show = (entries: string[]) => {
    document.querySelector('#chooser')?.remove()
    const dialog = document.createElement('div')
    Object.assign(dialog, { id: 'chooser', role: 'dialog' })
    dialog.setAttribute('role', 'dialog')
    dialog.innerHTML = `<input data-testid="CategorySearchInput"><button aria-label="Close">×</button>${chosen.at(-1) ? `<button>${chosen.at(-1)!.replaceAll('&', '&amp;')}</button>` : ''}<div>${entries.map(draw).join('')}</div>`
    const input = dialog.querySelector('input')!
    input.oninput = () => {
      dialog.querySelector('div')!.innerHTML = paths
        .filter((one) => one.includes(input.value))
        .map(draw)
        .join('')
    }
    dialog.onclick = ({ target }) => {
      const word = (target as HTMLElement).closest('button, a')?.textContent.trim()
      if (!word || word === 'Suggested' || word === chosen.at(-1)) return
      if (word === '×') return dialog.remove()
      if (word.includes('>')) return [dialog.remove(), end(word)]
      if (word !== 'All Categories') chosen.push(word)
      const next = tree[word === 'All Categories' ? 'all' : word]
      if (next) return show(next)
      dialog.remove()
      end(chosen.splice(0).join(' > '))
    }
    document.body.append(dialog)
  }
  opener.onclick = () => show(start)
}

/** Calls back as the site's recognition of the photos ends, which is after the other fields were filled. */
function onRecognition(write: () => void): void {
  document.querySelector<HTMLElement>('[data-testid="ConditionGood"]')!.onclick = write
}
const field = (name: string) => document.querySelector<HTMLInputElement>(`[data-testid="${name}"]`)!
const category = () => field('SellCategoryFieldButton').textContent

async function fill(changes: Partial<ListingDraft> = {}): Promise<Record<string, Pick<Outcome, 'result' | 'why'>>> {
  const tools = { pictures: async () => [], account: async () => null }
  const outcomes = await fillForm(mercariSteps({ ...draft, ...changes }, tools), () => {})
  return Object.fromEntries(outcomes.map(({ field, result, why }) => [field, { result, why }]))
}

describe('the sell form of Mercari', () => {
  beforeEach(() => drawForm())

  it.each<[string, Form]>([
    ['level by level', {}],
    ['whole, where it is suggested', { start: ['Women > Coats & jackets > Trench', 'All Categories'] }],
    ['by the search', { start: ['Suggested', 'Men > Shoes > Boots'] }],
    ['from rows in a list', { row: (word) => `<li>${row(word)}</li>` }],
    ['from links', { row: (word) => `<li><a href="#">${word.replaceAll('&', '&amp;')}</a></li>` }],
  ])('takes the category from its dialog, and the size after it: %s', async (_, form) => {
    drawForm(form)
    const { category: chosen, size } = await fill()
    expect([chosen?.result, size?.result, category()]).toEqual(['filled', 'filled', paths[2]])
    expect(field('Size').textContent).toBe('M (8-10)')
    expect(document.querySelector('#chooser')).toBeNull()
  })

  it('takes the size from a native menu that fills late', async () => {
    drawForm({ sizes: '<div data-testid="Size"><select><option value="">Size</option></select></div>' })
    setTimeout(
      () => document.querySelector('select')!.insertAdjacentHTML('beforeend', '<option value="7">M (8-10)'),
      600,
    )
    expect((await fill()).size?.result).toBe('filled')
    expect(document.querySelector('select')!.value).toBe('7')
  })

  it('does not trust a native menu that takes its choice back', async () => {
    drawForm({
      sizes:
        '<div data-testid="Size"><select><option value="">Size</option><option value="7">M (8-10)</option></select></div>',
    })
    document.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLSelectElement) target.value = ''
    })
    expect((await fill()).size).toEqual({ result: 'check', why: 'unseen' })
  })

  it('fills the form behind a tip', async () => {
    document.body.insertAdjacentHTML(
      'afterbegin',
      '<div role="dialog">List faster with templates<button>Got it</button></div>',
    )
    const { title, category: chosen } = await fill()
    expect([title?.result, chosen?.result, category()]).toEqual(['filled', 'filled', paths[2]])
  })

  it('leaves the chooser closed if no category fits', async () => {
    const { category } = await fill({ category: ['Garden tools'], title: 'Rake' })
    expect(category).toEqual({ result: 'left', why: 'no_option' })
    expect(document.querySelector('[role="dialog"]')).toBeNull()
    expect(document.querySelector('[data-testid="SellCategoryFieldButton"]')!.textContent).toBe('Category')
  })

  it('writes over what Mercari reads from the photos', async () => {
    onRecognition(() => {
      field('Title').value = 'Green jacket'
      field('Description').value = 'A nice green jacket.'
      field('Brand').value = 'Fennick'
      field('SellCategoryFieldButton').textContent = 'Men > Coats & jackets > Puffer'
    })
    const { title, description, category: chosen, brand } = await fill()
    expect([title, description, chosen].map((one) => one?.result)).toEqual(['filled', 'filled', 'filled'])
    expect([field('Title').value, category()]).toEqual(['Wool coat, green', paths[2]])
    expect(field('Description').value).toBe(draft.description)
    // The item has no brand, so that nobody has chosen this one.
    expect(brand).toEqual({ result: 'check', why: 'overwritten' })
  })

  it('fills in a size whose menu the site takes away and draws late', async () => {
    onRecognition(() => {
      const size = document.querySelector('#size')!
      const [opener] = size.children
      const menu = [...size.children].slice(1)
      opener!.textContent = 'Size'
      for (const list of menu) list.remove()
      setTimeout(() => size.append(...menu), 4_000)
    })
    expect((await fill()).size).toEqual({ result: 'filled', why: null })
    expect(field('Size').textContent).toBe('M (8-10)')
  })

  it('writes over the price that Mercari suggests', async () => {
    field('SellCategoryFieldButton').addEventListener('click', () => {
      field('Price').value = '12.00'
    })
    expect([(await fill()).price?.result, Number(field('Price').value)]).toEqual(['filled', 45])
  })

  it.each(['Title', 'Description', 'Price'])('says so if Mercari keeps its own %s', async (name) => {
    onRecognition(() => {
      Object.defineProperty(field(name), 'value', { get: () => '12 jackets', set: () => {}, configurable: true })
    })
    expect((await fill())[name.toLowerCase()]).toEqual({ result: 'left', why: 'overwritten' })
  })

  it('says that a description is too short for Mercari', async () => {
    expect((await fill({ description: 'Kept folded.' })).description).toEqual({ result: 'check', why: 'few_words' })
  })

  it('keeps a text of the seller', async () => {
    document.querySelector<HTMLInputElement>('#sellName')!.value = 'My own words'
    expect((await fill()).title).toEqual({ result: 'left', why: 'kept' })
  })

  it.each<[string, string | null, string]>([
    ['on by its state', 'smart_pricing', smartPricing('aria-pressed="true">')],
    ['on by its word', 'smart_pricing', smartPricing('>ON')],
    [
      'on by a box',
      'smart_pricing',
      '<label><input type="checkbox" checked>Smart Pricing</label><label><input type="checkbox">Smart Offers</label>',
    ],
    ['off', null, smartPricing('aria-pressed="false">OFF')],
    ['off beside another switch', null, `${smartPricing('>OFF')}<label><input type="checkbox" checked>Promote</label>`],
    ['Smart Offers alone', 'smart_offers', '<div role="switch" aria-label="Smart Offers" aria-checked="true"></div>'],
    [
      'both',
      'smart_both',
      `${smartPricing('>ON')}<p>Automatic offers</p><button role="switch" data-state="checked"></button>`,
    ],
  ])('says whether Mercari would change the price by itself: %s', async (_, why, smart) => {
    drawForm({ smart })
    expect((await fill()).price).toEqual({ result: why ? 'check' : 'filled', why })
  })

  it('says so of a switch that appears with the price', async () => {
    drawForm({ smart: '' })
    field('Price').onchange = () =>
      setTimeout(() => document.querySelector('main')!.insertAdjacentHTML('beforeend', smartPricing('>ON')), 200)
    expect((await fill()).price).toEqual({ result: 'check', why: 'smart_pricing' })
  })
})
