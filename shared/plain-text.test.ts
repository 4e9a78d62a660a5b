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
    ['Blue<ul><li>One<li>Two</ul>Red<p>Green<p>White', 'Blue\nOne\nTwo\nRed\nGreen\nWhite'],
    ['<p>One</p>\n<ul>\n<li>Two</li>\n<li> Three</li></ul>', 'One\n\nTwo\n\nThree'],
    ['Tom &amp; Jerry', 'Tom & Jerry'],
    [
      '<div><h1>Tea &mdash; for six 🫖</h1><p>No&nbsp;chips.<br>Gold rim</p><script>alert(1)</script></div>',
      'Tea — for six 🫖\nNo chips.\nGold rim',
    ],
    ['<p>Seen</p><!-- not <b>seen</b> --><p>again</p>', 'Seen\nagain'],
    ['<p>Never <script>closed', 'Never'],
    ['<p>&lt;b&gt; is bold', '<b> is bold'],
    [
      '<table><tr><th>Chest</th><td>20"</td></tr><tr><td>Shutter</td><td>fires at all speeds</td></tr></table>',
      'Chest 20"\nShutter fires at all speeds',
    ],
  ])('removes all markup from %j', (html, text) => {
    expect(plainText(html)).toBe(text)
  })

  // Quadratic time would take minutes.
  it.each([
    '<br ',
    '<div>',
    '<p><br>',
    '</p>',
    '<!--',
    '<script>',
    '&amp;<b>',
    '<b>  ',
    '<b>\n ',
    '<li> ',
    '\v <li>',
    '<a href="',
    '&#1',
  ])('parses a full-length %j in linear time', (part) => {
    const text = `<p>${part.repeat(600_000 / part.length)}`
    expect(plainText(text).length).toBeLessThanOrEqual(text.length)
  })

  it.each([
    'Number 1: "barely used" & <clean>.',
    '</textarea><script>alert(1)</script>\nLinen.',
    'Chest 20", waist < 30 & > 28',
    'Line one\n\n  line two',
    '<3 vintage',
    '',
  ])('leaves %j unchanged', (text) => {
    expect(plainText(text)).toBe(text)
  })
})
