import { printAmount, type SandboxItem } from './item.ts'
import { categoryOf, siteOf } from './selling/sites.ts'
import { plainItem } from './shop.ts'

/** Title, price in minor units, category, condition, specifics. */
type Row = [title: string, minor: number, category: string, condition: number, specifics: Record<string, string>]

const german: Row[] = [
  [
    ...(['Vintage Wollmantel Escada 1980er grau Größe 40', 12_950, '63862', 3000] as const),
    { Marke: 'Escada', Größe: '40', Farbe: 'Grau', Material: 'Wolle', Jahrzehnt: '1980er' },
  ],
  [
    ...(['Lederjacke 1970er braun Herren Größe M', 8_900, '57988', 2990] as const),
    { Marke: 'Markenlos', Größe: 'M', Farbe: 'Braun', Material: 'Leder', Jahrzehnt: '1970er' },
  ],
  [
    ...(['Stiefeletten Gabor schwarz EU 38, ungetragen', 5_450, '53557', 1500] as const),
    { Marke: 'Gabor', 'EU-Schuhgröße': '38', Farbe: 'Schwarz', Obermaterial: 'Leder' },
  ],
  [
    ...(['Rolleiflex 3.5F Analogkamera mit Ledertasche', 123_450, '15230', 3000] as const),
    { Marke: 'Rolleiflex', Modell: '3.5F', Farbe: 'Schwarz' },
  ],
  [
    ...(['Zeiss Ikon Contaflex Kamera für Bastler', 3_999, '15230', 7000] as const),
    { Marke: 'Zeiss Ikon', Modell: 'Contaflex', Farbe: 'Silber' },
  ],
  [
    ...(['Der Zauberberg, Thomas Mann, S. Fischer 1924, Roman', 24_000, '261186', 4000] as const),
    { Autor: 'Thomas Mann', Sprache: 'Deutsch', Erscheinungsjahr: '1924' },
  ],
  [
    ...(['Seidentuch Halstuch bordeaux handrolliert', 1_990, '45238', 2990] as const),
    { Marke: 'Markenlos', Farbe: 'Bordeaux', Material: 'Seide' },
  ],
  [
    ...(['Strickpullover Island creme Größe L', 4_500, '11484', 3010] as const),
    { Marke: 'Markenlos', Größe: 'L', Farbe: 'Creme', Material: 'Wolle' },
  ],
]

const british: Row[] = [
  [
    ...(['Vintage Burberrys Trench Coat 1980s Navy Size 12', 18_500, '63862', 2990] as const),
    { Brand: 'Burberrys', Size: '12', Colour: 'Navy', Material: 'Cotton', Decade: '1980s' },
  ],
  [
    ...(['Fair Isle Jumper Hand Knit Cream Size L', 4_200, '11484', 3000] as const),
    { Brand: 'Unbranded', Size: 'L', Colour: 'Cream', Material: 'Wool' },
  ],
  [
    ...(['Church’s Leather Boots UK 5 Brown', 9_750, '53557', 3010] as const),
    { Brand: 'Church’s', 'UK Shoe Size': '5', Colour: 'Brown', 'Upper Material': 'Leather' },
  ],
  [
    ...(['Ensign Selfix 820 Folding Camera, Tested', 11_999, '15230', 3000] as const),
    { Brand: 'Ensign', Model: 'Selfix 820', Colour: 'Black' },
  ],
  [
    ...(['Brighton Rock by Graham Greene, Heinemann 1938', 34_000, '261186', 5000] as const),
    { Author: 'Graham Greene', Language: 'English', 'Publication Year': '1938' },
  ],
  [
    ...(['Silk Scarf Liberty Print Burgundy', 2_450, '45238', 1500] as const),
    { Brand: 'Liberty', Colour: 'Burgundy', Material: 'Silk' },
  ],
]

const quebecois: Row[] = [
  [
    ...(['Manteau de laine vintage années 1970 noir taille M', 14_500, '63862', 3000] as const),
    { Marque: 'Sans marque', Taille: 'M', Couleur: 'Noir', Matière: 'Laine' },
  ],
  [
    ...(['Appareil argentique Kodak Retina, testé', 9_900, '15230', 3000] as const),
    { Marque: 'Kodak', Modèle: 'Retina', Couleur: 'Argent' },
  ],
]

/** A seller's site, with the name that the Trading API has for it. */
interface Where {
  marketplaceId: string
  site: string
  language: string
  firstId: number
  sku: string
}

function itemsOf(rows: Row[], where: Where) {
  const site = siteOf(where.marketplaceId, where.language)!
  return rows.map(([title, minor, categoryId, conditionId, specifics], index): SandboxItem => {
    const category = categoryOf(site, categoryId)
    const item = plainItem({
      itemId: String(where.firstId + index * 31),
      title,
      description: `<p>${title}.</p>`,
      sku: `${where.sku}-${String(index + 1).padStart(3, '0')}`,
      price: printAmount(minor),
      currency: site.currency,
      pictures: 3,
      conditionId,
      conditionName: category?.conditions.find(({ id }) => id === conditionId)?.name ?? null,
      category: { id: Number(categoryId), name: category?.path.join(':') ?? '' },
      specifics: Object.entries(specifics).map(([name, value]) => ({ name, values: [value] })),
      startTime: new Date(Date.UTC(2025, 4, 1 + index * 5, 9)).toISOString(),
    })
    return { ...item, ...{ site: where.site } }
  })
}

/** Returns the sellers of other countries: their site, currency, and words. */
export const sellersAbroad = () => [
  {
    username: 'antik_anja',
    about: 'Germany: eight things, priced in euros.',
    marketplaceId: 'EBAY_DE',
    items: itemsOf(german, {
      marketplaceId: 'EBAY_DE',
      site: 'Germany',
      language: 'de-DE',
      firstId: 278_200_000_001,
      sku: 'AA',
    }),
  },
  {
    username: 'british_bea',
    about: 'Britain: six things, priced in pounds.',
    marketplaceId: 'EBAY_GB',
    items: itemsOf(british, {
      marketplaceId: 'EBAY_GB',
      site: 'UK',
      language: 'en-GB',
      firstId: 278_300_000_001,
      sku: 'BB',
    }),
  },
  {
    username: 'quebec_quinn',
    about: 'Canada: two things in French, priced in Canadian dollars.',
    marketplaceId: 'EBAY_CA',
    items: itemsOf(quebecois, {
      marketplaceId: 'EBAY_CA',
      site: 'CanadaFrench',
      language: 'fr-CA',
      firstId: 278_400_000_001,
      sku: 'QQ',
    }),
  },
]
