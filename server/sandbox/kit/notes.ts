/** Sellers' texts for listings whose text no test depends on. */
const notes = [
  'Found at an estate sale. Wear as you see it in the pictures, nothing hidden.',
  'From my own shelf. Cleaned by hand, packed well, and sent the next day.',
  'Part of a collection that I am letting go. Please ask if you want more pictures.',
  'Small signs of age, as you would expect. From a smoke-free home.',
  'Bought for a photo shoot and kept in a cabinet since. Happy to combine shipping.',
  'My grandmother’s. Everything works and nothing is missing.',
]

/** Returns a short seller's text, the same for the same listing. */
export const noteOf = (listingId: string | number): string =>
  notes[[...String(listingId)].reduce((sum, char) => sum + char.charCodeAt(0), 0) % notes.length]!
