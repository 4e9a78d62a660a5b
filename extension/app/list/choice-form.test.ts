import { describe, expect, it } from 'vitest'
import type { Choice } from '#shared/contract/selling/listings.ts'
import { answersOf, decidingOf, fieldsOf, missingOf, optionsOf, replacedOf } from './choice-form.ts'

const named = (...ids: string[]) => ids.map((id) => ({ id, name: id.toUpperCase() }))
const choice = (option: string, given: Partial<Choice> = {}): Choice => ({
  option,
  required: true,
  values: [],
  default_id: null,
  free_text: false,
  ...given,
})

describe('the form of a platform’s choices', () => {
  it('asks for each choice in its own way, suggestions first', () => {
    const fields = fieldsOf([
      choice('category_id', { values: named('1') }),
      choice('aspects.Brand', { free_text: true }),
      choice('aspects.Colour', { values: [...named('a'), { id: 'b', name: 'B', suggested: true }, ...named('c')] }),
      choice('who_made'),
      choice('is_supply', { required: false }),
      choice('production_partner_ids', { required: false }),
      choice('return_policy_id', { link: 'https://www.etsy.com/policies' }),
    ])
    expect(fields.map(({ option, kind, ofShop }) => [option, kind, ofShop])).toEqual([
      ['category_id', 'category', false],
      ['aspects.Brand', 'text', false],
      ['aspects.Colour', 'select', false],
      ['who_made', 'select', false],
      ['is_supply', 'select', false],
      ['production_partner_ids', 'select', false],
      ['return_policy_id', 'select', true],
    ])
    expect(fields.at(-1)?.link).toBe('https://www.etsy.com/policies')
    expect(fields[2]?.values.map(({ id }) => id)).toEqual(['b', 'a', 'c'])
  })

  it('fills in defaults that still exist', () => {
    const choices = [
      choice('return_policy_id', { values: named('r1'), default_id: 'r1' }),
      choice('payment_policy_id', { values: named('p1'), default_id: 'deleted there' }),
      choice('taxonomy_id', { values: named('1'), default_id: '99' }),
      choice('aspects.Brand', { values: named('Leica'), default_id: 'Zorki', free_text: true }),
    ]
    const answers = answersOf(choices, {})
    expect(answers).toEqual({
      return_policy_id: 'r1',
      payment_policy_id: '',
      // A category found by an earlier search stays valid.
      taxonomy_id: '99',
      'aspects.Brand': 'Zorki',
    })
    expect(missingOf(choices, answers)).toEqual(['payment_policy_id'])
  })

  it('keeps the seller’s choice, or none, while it is available', () => {
    const before = [choice('payment_policy_id', { values: named('p1', 'p2'), default_id: 'p1' })]
    expect(answersOf(before, { payment_policy_id: 'p2' })).toEqual({ payment_policy_id: 'p2' })
    expect(answersOf(before, { payment_policy_id: '' })).toEqual({ payment_policy_id: '' })
    // Another site has others.
    const after = [choice('payment_policy_id', { values: named('q1'), default_id: 'q1' })]
    expect(answersOf(after, { payment_policy_id: 'p2' })).toEqual({ payment_policy_id: 'q1' })
  })

  it('lists with the required choices and reports blank ones', () => {
    const choices = [
      choice('category_id'),
      choice('aspects.Brand', { free_text: true }),
      choice('aspects.US Shoe Size', { free_text: true }),
      choice('return_policy_id', { required: false }),
    ]
    const answers = { category_id: '7', 'aspects.Brand': '  ', 'aspects.US Shoe Size': ' 9 ', 'aspects.Other': 'x' }
    expect(missingOf(choices, answers)).toEqual(['aspects.Brand'])
    expect(optionsOf(choices, answers)).toEqual({ category_id: '7', aspects: { 'US Shoe Size': ['9'] } })
    expect(optionsOf(choices, { category_id: '7' })).toEqual({ category_id: '7' })
  })

  it('takes a price of shipping with a decimal comma', () => {
    const choices = [choice('shipping_cost', { free_text: true }), choice('condition')]
    expect(optionsOf(choices, { shipping_cost: ' 6,19 ', condition: 'a,b' })).toEqual({
      ...{ shipping_cost: '6.19', condition: 'a,b' },
    })
  })

  it('replaces a default that is gone, but not another site’s', () => {
    const choices = [
      choice('marketplace_id', { values: named('US', 'GB'), default_id: 'US' }),
      choice('payment_policy_id', { values: named('p1'), default_id: 'gone' }),
      choice('return_policy_id', { values: named('r1', 'r2'), default_id: 'r1' }),
      choice('condition', { values: named('new'), default_id: 'gone' }),
    ]
    const answers = { marketplace_id: 'US', payment_policy_id: 'p1', return_policy_id: 'r2', condition: 'new' }
    expect(replacedOf(choices, answers)).toEqual({ payment_policy_id: 'p1' })
    expect(replacedOf(choices, { ...answers, marketplace_id: 'GB' })).toEqual({})
    expect(replacedOf(choices.slice(1), { ...answers, payment_policy_id: '' })).toEqual({})
  })

  it('tells on what other choices hang', () => {
    expect(decidingOf({ marketplace_id: 'EBAY_GB', category_id: '', condition: 'NEW', who_made: 'i_did' })).toEqual({
      marketplace_id: 'EBAY_GB',
      condition: 'NEW',
    })
    expect(decidingOf({ taxonomy_id: '7', when_made: '1990s' })).toEqual({ taxonomy_id: '7' })
  })
})
