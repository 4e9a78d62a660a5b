/** Returns whether a text can name an item: a line of stars, a number or a picture says nothing to buyers. */
export const hasName = (text: string): boolean => /\p{L}/u.test(text)
