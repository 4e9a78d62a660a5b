// @vitest-environment happy-dom

import { afterEach, expect, it } from 'vitest'
import { keepPlace, takePlace } from './left-place.ts'

afterEach(() => {
  sessionStorage.clear()
  location.hash = ''
})

it.each([
  ['#item/itm_1/list', '', '#item/itm_1/list'],
  ['#item/itm_1', '#account/address', null],
  ['#account/api', '#account', '#account/api'],
  ['#account/address', '#account/address', '#account/address'],
  ['#shops', '#sale-mail', null],
  ['', '', ''],
])('leads back to %s from %s: %s', (left, led, back) => {
  location.hash = left
  keepPlace()
  location.hash = led
  expect(takePlace()).toBe(back)
  expect(takePlace()).toBeNull()
})

it('leads nowhere in a tab that did not leave', () => {
  location.hash = '#shops'
  expect(takePlace()).toBeNull()
})
