import { describe, expect, it } from 'vitest'
import { plainText } from './plain-text.ts'

describe('a description as plain text', () => {
  it.each([
    [
      '<p><b>Levi’s flannel shirt</b>, 1970s.</p><ul><li>Colour: Cream</li><li>Size: 14</li></ul>',
      'Levi’s flannel shirt, 1970s.\nColour: Cream\nSize: 14',
    ],
    ['<style>p{color:red}</style><p>Tea &amp; cake</p><script>alert(1)</script>', 'Tea & cake'],
    ['One<br>two<br/><br />three', 'One\ntwo\n\nthree'],
    ['Tom &amp; Jerry', 'Tom & Jerry'],
  ])('%j has no markup left', (html, text) => {
    expect(plainText(html)).toBe(text)
  })

  it.each([
    'Number 1: "barely used" & <clean>.',
    '</textarea><script>alert(1)</script>\nLinen.',
    'Chest 20", waist < 30 & > 28',
    'Line one\n\n  line two',
    '<3 vintage',
    '',
  ])('%j stays as it is', (text) => {
    expect(plainText(text)).toBe(text)
  })
})
