// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { simulateLayout } from '#extension/testing/simulated-layout.ts'
import { fillForm, type Outcome } from '../sell-form/form.ts'
import type { ListingDraft } from '../sell-form/listing-draft.ts'
import { poshmarkSteps } from './fill.ts'

simulateLayout()

const draft: ListingDraft = {
  ...{ task: 'tsk_1', title: 'Wool coat, green', description: 'Kept folded.', price_minor: 4_500, currency: 'USD' },
  ...{ condition: '', size: null, brand: 'Fennick', category: [], colors: [], sku: null, pictures: 0 },
}

/**
 * The two price dialogs that other sellers' tools met in September 2026: with Smart Sell, which is on or off by account,
 * and "Add Price", whose "Done" waits for a price.
 */
const dialogs = {
  'Smart Sell': (on: boolean) =>
    `<div data-test="modal-container" class="listing-price-suggestion-modal"><div class="modal__body"><input id="listing-price-modal-listing-price-input"><h4>Smart Sell</h4><label data-test="toggle-switch"><input type="checkbox" data-test="toggle-input" ${on ? 'checked' : ''}><div></div></label></div><div data-test="modal-footer"><button class="btn btn--primary">Done</button></div></div>`,
  'Add Price': () =>
    '<div data-test="modal-container"><div class="modal__body"><input class="listing-price-input"></div><div class="modal__footer"><button class="btn btn--primary" disabled>Done</button></div></div>',
}

function drawForm(dialog: string, isOpen = false): void {
  document.body.innerHTML = `<input data-vv-name="title"><textarea data-vv-name="description"></textarea>
<input placeholder="Enter the Brand/Designer"><input data-vv-name="listingPrice" readonly><div id="modal"></div>`
  const price = document.querySelector<HTMLInputElement>('[data-vv-name="listingPrice"]')!
  const modal = document.querySelector('#modal')!
  const open = () => {
    modal.innerHTML = dialog
    const done = modal.querySelector<HTMLButtonElement>('.btn--primary')!
    const input = modal.querySelector('input')!
    input.addEventListener('input', () => {
      done.disabled = input.value === ''
    })
    done.onclick = () => {
      price.value = `$${input.value}`
      modal.replaceChildren()
    }
  }
  price.onclick = open
  if (isOpen) open()
}

async function fill(): Promise<Record<string, Pick<Outcome, 'result' | 'why'>>> {
  const tools = { pictures: async () => [], account: async () => null }
  const needed = ['title', 'description', 'brand', 'price']
  const steps = poshmarkSteps(draft, tools).filter(([field]) => needed.includes(field))
  const outcomes = await fillForm(steps, () => {})
  return Object.fromEntries(outcomes.map(({ field, result, why }) => [field, { result, why }]))
}
const shownPrice = () => document.querySelector<HTMLInputElement>('[data-vv-name="listingPrice"]')!.value

describe('the price dialog of Poshmark', () => {
  it.each([
    ['with Smart Sell off', dialogs['Smart Sell'](false), false],
    ['without Smart Sell', dialogs['Add Price'](), false],
    ['that is open already', dialogs['Add Price'](), true],
  ])('is closed with the price: %s', async (_, dialog, isOpen) => {
    drawForm(dialog, isOpen)
    expect((await fill()).price).toEqual({ result: 'filled', why: null })
    expect([shownPrice(), document.querySelector('#modal')!.innerHTML]).toEqual(['$45', ''])
  })

  it('stays open with Smart Sell on, which nobody switches', async () => {
    drawForm(dialogs['Smart Sell'](true))
    expect((await fill()).price).toEqual({ result: 'check', why: 'smart_sell' })
    const { value } = document.querySelector<HTMLInputElement>('#listing-price-modal-listing-price-input')!
    expect([value, document.querySelector<HTMLInputElement>('[data-test="toggle-input"]')!.checked]).toEqual([
      '45',
      true,
    ])
  })
})

describe('a text of Poshmark’s form', () => {
  it.each([
    ['title', '[data-vv-name="title"]', draft.title],
    ['description', '[data-vv-name="description"]', draft.description],
    ['brand', '[placeholder^="Enter"]', draft.brand],
  ])('is written again if the site changes it: %s', async (name, selector, written) => {
    drawForm(dialogs['Smart Sell'](false))
    const field = document.querySelector<HTMLInputElement>(selector)!
    document.querySelector<HTMLElement>('#modal')!.onclick = () => {
      field.value = 'Jacket'
    }
    expect((await fill())[name]).toEqual({ result: 'filled', why: null })
    expect(field.value).toBe(written)
  })
})
