/**
 * Made-up titles as sellers write them. A line has the title, its kind (in `answers`), and whom it is for: men, women,
 * boys, girls, kids, or nobody in particular.
 */
export interface LabeledTitle {
  title: string
  kind: string
  who: string
}

/** The titles with which the vocabulary was made. */
export const tuned: readonly LabeledTitle[] = labeled(`
Vintage Pendleton Wool Barn Coat Rust Blanket Lined Men’s L | coat | men
Burberrys Mens Trench Coat Khaki Nova Check Lining 42R | trench | men
Women's Camel Hair Overcoat Double Breasted Size 8 Vtg 80s | coat | women
US Navy Issue Pea Coat Wool 1970s Anchor Buttons Men 40 | pea coat | men
Levi's Type III Denim Trucker Jacket 70505 Made in USA Mens M | denim jacket | men
Lee Storm Rider Jean Jacket Blanket Lined Size 38 men | denim jacket | men
Wilsons Leather Motorcycle Jacket Black Womens Small | leather jacket | women
Patagonia Down Sweater Puffer Jacket Women's XS Teal | puffer | women
Starter Raiders Bomber Jacket Satin 1990s Men's XL | bomber | men
Columbia Windbreaker Color Block 90s men L | windbreaker | men
Ralph Lauren Wool Herringbone Tweed Blazer Sport Coat 44L | blazer |
Brooks Brothers 2 piece pinstripe suit 40R navy men's | suit | men
LL Bean Down Vest Red Womens M | vest | women
Argyle Sweater Vest 100% Lambswool Mens Large Golf | sweater vest | men
Laura Ashley Floral Cotton Tea Length Dress Puff Sleeve Sz 10 | dress | women
Diane von Furstenberg silk wrap dress 6 geometric | dress | women
Gunne Sax Prairie Midi Dress Calico Lace 7/8 | midi dress | women
80s Bohemian Maxi Dress Gauze India Cotton OS | maxi dress | women
Bridal Wedding Gown Ivory Lace Train Size 12 never worn | wedding dress | women
Pendleton Board Shirt Wool Plaid Loop Collar Mens M 60s | shirt | men
Brooks Brothers White Oxford Dress Shirt 16-34 Non Iron Men | dress shirt | men
Lacoste Polo Shirt Green Crocodile Men's 5 | polo | men
Grateful Dead 1987 Tour T-Shirt Tie Dye Men L Single Stitch | tee | men
Nirvana band tee faded black XL mens | tee | men
Ivory Silk Blouse Pussy Bow Secretary Ladies 12 | blouse | women
Aran Fisherman Cable Knit Sweater Cream Wool Mens XL | sweater | men
J Crew cashmere crewneck pullover heather grey women's S | sweater | women
Ladies Talbots Merino Cardigan Twinset Navy Petite M | cardigan | women
Champion Reverse Weave Hoodie Sweatshirt Grey Mens XXL | sweatshirt | men
Levis 501 jeans 34x32 Selvedge Big E mens | jeans | men
Gloria Vanderbilt High Waist Mom Jeans Womens 10 Long | jeans | women
Corduroy Trousers Brown Flat Front Men's 36x30 Orvis | pants | men
Lululemon Align Leggings 25" Black Women 6 | pants | women
Patagonia Baggies Shorts 5" Mens Medium Rust | shorts | men
Pleated Plaid Kilt Skirt Wool Women's 8 Pendleton | skirt | women
OshKosh B'Gosh Hickory Stripe Overalls Toddler 3T Boys | overalls | boys
Carhartt Insulated Coveralls Brown Duck Mens 42 | jumpsuit | men
Speedo One Piece Swimsuit Racing Back Women's 34 | swimwear | women
Flannel Pajama Set LL Bean Women Medium Plaid | nightwear | women
Adidas Track Suit 3 Stripe Velour 80s Men's M | tracksuit | men
Hermes Silk Scarf Carre 90cm Brides de Gala | scarf |
Stetson Open Road Fedora Hat 7 1/4 Silverbelly Mens | hat | men
Yankees New Era Snapback Baseball Cap Navy Men | hat | men
Coach Leather Belt British Tan Brass Buckle Mens 34 | belt | men
Deerskin Driving Gloves Tan Mens 9 Cashmere Lined | gloves | men
Hermes Silk Necktie Blue Elephants 7092 IA | tie | men
Ray Ban Wayfarer Sunglasses Bausch & Lomb Tortoise | sunglasses |
Tony Lama Lizard Cowboy Boots Mens 10.5 D | boots | men
Dr Martens 1460 8 Eye Boots Cherry Red Women’s 7 | boots | women
Nike Air Max 90 Infrared Sneakers Men’s 11 | sneakers | men
New Balance 990v3 running shoes grey Women 8.5 | sneakers | women
Ferragamo Vara Bow Pumps Black Patent 7.5 B Womens | heels | women
Gucci Horsebit Loafers Brown Leather Mens 9 | loafers | men
Allen Edmonds Park Avenue Cap Toe Oxford Shoes 10 D men | oxfords | men
Birkenstock Arizona Sandals Suede Women 38 | sandals | women
Dansko Professional Clogs Black Cabrio Womens 39 | clogs | women
Coach Willis Leather Handbag Tan 9927 Vintage | handbag | women
LL Bean Boat and Tote Canvas Bag Large Red Handles | tote |
Coach Messenger Bag Black Leather Mens Laptop | messenger | men
Beaded Evening Clutch Purse Art Deco Silver | clutch | women
Fjallraven Kanken Backpack Mustard Yellow | backpack |
Hartmann Belting Leather Attache Briefcase | briefcase |
Sterling Silver Turquoise Squash Blossom Necklace Navajo | necklace |
Art Deco Bakelite Bangle Bracelet Carved Butterscotch | bracelet |
14K Gold Hoop Earrings 2.5 grams | earrings | women
Mid Century Modernist Sterling Ring Size 6 Denmark | ring |
Trifari Crown Brooch Pin Jelly Belly 1940s | brooch | women
Seiko 5 Automatic Watch 6119 Mens Day Date 1971 | wristwatch | men
Waltham 17 Jewel Pocket Watch Gold Filled Hunter Case | pocket watch |
Nikon F3 35mm SLR Film Camera Body HP Black | film camera |
Canon AE-1 Program camera with 50mm f1.8 lens and case | film camera |
Rolleiflex 2.8F TLR Planar Medium Format | film camera |
Polaroid SX-70 Land Camera Folding Brown Leather | instant camera |
Canon PowerShot SD1000 Digital Camera 7.1MP Silver | digital camera |
Nikkor 105mm f/2.5 AI-S Lens for Nikon F Mount | lens |
Domke F-2 Canvas Camera Bag Sand Photographer | camera bag |
The Hobbit JRR Tolkien 1966 Hardcover First Thus DJ | book |
Little Women by Louisa May Alcott Illustrated Junior Library Book | book |
Julia Child Mastering the Art of French Cooking Cookbook Vol 1 | cookbook |
Life Magazine July 25 1969 Moon Landing Leaving for the Moon | magazine |
Amazing Spider-Man #252 Marvel Comic Book VF 1984 | comic |
Pink Floyd Dark Side of the Moon Vinyl LP Harvest SMAS-11163 | record |
Miles Davis Kind of Blue CD Remastered 1997 | cd |
Super Mario 64 Nintendo 64 Game Cartridge Authentic | video game |
1962 Monopoly Board Game Parker Brothers Complete | board game |
GI Joe 1983 Snake Eyes Action Figure ARAH Hasbro | action figure |
Vintage Barbie Bubblecut Doll Brunette 1962 Mattel | doll |
LEGO 6080 King's Castle Complete with Instructions | lego |
Hot Wheels Redline 1968 Custom Camaro Diecast Car Blue | toy vehicle |
1999 Pokemon Charizard Base Set Holo Card 4/102 LP | trading card |
Mid Century Brass Gooseneck Desk Lamp Adjustable | lamp |
McCoy Pottery Vase Matte Green Art Deco 8" | vase |
Wedgwood Blue Willow Dinner Plates Set of 6 China | china plates |
Brown Betty Stoneware Teapot Made in England 4 cup | teapot |
Pyrex Cinderella Mixing Bowl Butterprint Turquoise 444 | bowl |
Handmade Patchwork Quilt Log Cabin Queen 84 x 92 | quilt |
Persian Hand Knotted Wool Rug 4x6 Red Bokhara | rug |
Stanley Bailey No 5 Jack Plane Wood Handle Sweetheart | hand tool |
Fender Stratocaster Electric Guitar Sunburst MIM 1996 | electric guitar |
Original Oil Painting Seascape Signed Framed 16x20 | painting |
`)

/** The titles written after it was made. */
export const heldOut: readonly LabeledTitle[] = labeled(`
Woolrich Mackinaw Hunting Coat Red Black Buffalo Plaid Mens 44 | coat | men
London Fog Trench Coat Womens 10 Petite Zip Out Liner Beige | trench | women
Ladies Vintage Mouton Fur Coat Brown Size Medium Monogram | coat | women
Helly Hansen Yellow Rain Coat Hooded Mens Large Fisherman | raincoat | men
Mens Wrangler Sherpa Lined Denim Jacket Large 1980s | denim jacket | men
Schott Perfecto 618 Leather Biker Jacket Black Mens 40 | leather jacket | men
The North Face Nuptse 700 Puffer Black Men's Large | puffer | men
Letterman Varsity Jacket Wool Leather Sleeves Boys High School Men's M | bomber |
Harris Tweed Blazer Womens 12 Brown Herringbone Leather Buttons | blazer | women
Hart Schaffner Marx Gray Wool Suit 42L Flat Front Pants 36W Mens | suit | men
Patagonia Synchilla Fleece Vest Mens Large Navy | vest | men
Betsey Johnson Velvet Slip Dress Burgundy 90s Size 4 Womens | dress | women
1950s Cotton Day Dress Full Skirt Gingham Handmade XS | dress | women
Free People Tiered Maxi Dress Boho Floral Women Small | maxi dress | women
Vintage Hawaiian Shirt Rayon Aloha Reyn Spooner Men XL | shirt | men
Wrangler Western Pearl Snap Shirt Plaid Mens Medium | shirt | men
Charles Tyrwhitt Slim Fit Dress Shirt 15.5/34 Blue Check Men's | dress shirt | men
Polo Ralph Lauren Mesh Polo Shirt Big Pony Mens L | polo | men
Metallica Ride The Lightning T Shirt 1994 Giant Mens XL | tee | men
Harley Davidson Tee Sturgis 1991 3D Emblem Men L | tee | men
Eileen Fisher Silk Tunic Top Womens Medium Charcoal | top | women
Zara Satin Blouse V Neck Emerald Green Womens S | blouse | women
LL Bean Norwegian Sweater Birdseye Navy Mens M Tall | sweater | men
St John Knit Cardigan Black Gold Buttons Womens 8 | cardigan | women
Nike Center Swoosh Sweatshirt 90s Grey Crewneck Mens L | sweatshirt | men
Wrangler 13MWZ Cowboy Cut Jeans 33x34 Mens | jeans | men
Rag & Bone Skinny Jeans Womens 27 Black Distressed | jeans | women
Dickies 874 Work Pants Khaki Mens 34x30 | pants | men
Vintage Levis Cutoff Denim Shorts Womens 28 | shorts | women
Leather Pencil Skirt Black Womens 6 Danier | skirt | women
Girls Ralph Lauren Cable Knit Sweater Pink Size 6X | sweater | girls
Boys Navy Blazer Gold Buttons Size 10 Nautica | blazer | boys
Infant Girls Smocked Easter Dress Bunnies 18 months | dress | girls
Kids Stride Rite Rain Boots Yellow Size 9 Toddler | boots | kids
Dickies Bib Overalls Mens 38x32 Blue Denim | overalls | men
Victorias Secret Flannel Pajamas Womens Large Pink Plaid | nightwear | women
Mens Terry Cloth Bathrobe White Hotel XL | robe | men
Womens Bikini Set Billabong High Waisted Medium | swimwear | women
Pashmina Shawl Cashmere Silk Burgundy Fringe | scarf |
Knit Beanie Carhartt Acrylic Watch Hat Mens Brown | hat | men
Tony Lama Tooled Western Belt Size 36 Mens Brown | belt | men
Isotoner Leather Gloves Womens Medium Black | gloves | women
Brooks Brothers Repp Stripe Silk Tie Navy Red | tie |
Persol 649 Sunglasses Havana Polarized Italy Mens | sunglasses | men
Coach Bifold Wallet Brown Leather Mens | wallet | men
Frye Campus Boots Womens 8 Tan Leather Tall | boots | women
Red Wing Iron Ranger 8111 Boots Mens 10D Amber | boots | men
Air Jordan 1 Retro High OG Bred Mens 10.5 | sneakers | men
Converse Chuck Taylor All Star High Tops Womens 7 Red | sneakers | women
Manolo Blahnik Stiletto Heels Black Suede Womens 37.5 | heels | women
Cole Haan Penny Loafers Burgundy Mens 11 | loafers | men
Florsheim Wingtip Shoes Brown Longwing Mens 9.5 | oxfords | men
Teva Hiking Sandals Womens 8 | sandals | women
Tory Burch Minnie Ballet Flats Womens 8.5 Navy | flats | women
Ugg Scuffette Slippers Womens 7 Chestnut | slippers | women
Dooney & Bourke Pebbled Leather Satchel Purse Red | handbag | women
Kate Spade Crossbody Bag Black Quilted Womens | crossbody | women
Vintage Samsonite Hard Shell Suitcase Train Case Blue | luggage |
Pearl Strand Necklace 18 inch Freshwater 14k Clasp | necklace |
Mens Cuban Link Bracelet Stainless Steel | bracelet | men
Clip On Earrings Rhinestone Cluster Weiss | earrings | women
Antique Engagement Ring Old Mine Cut Diamond Platinum | ring |
Casio G-Shock DW-5600 Digital Watch Mens Black | wristwatch | men
Leather Watch Strap 20mm Brown Handmade | watch band |
Pentax K1000 35mm Camera SMC 50mm f2 Tested | film camera |
Kodak Brownie Hawkeye Box Camera 1950s Bakelite | film camera |
Fujifilm Instax Mini 11 Instant Camera Lilac | instant camera |
Nikon D3400 DSLR Camera Body 24MP | digital camera |
Canon FD 28mm f2.8 Wide Angle Lens | lens |
Sony Handycam Hi8 Video Camera CCD-TRV | camcorder |
Leather Camera Strap Adjustable Brown for Leica | camera strap |
To Kill a Mockingbird Harper Lee 1960 Book Club Edition Hardback | book |
The Woman in the Dunes Kobo Abe Paperback 1964 | book |
Betty Crocker's Picture Cook Book 1950 First Edition | cookbook |
National Geographic Magazine Lot 1985 Afghan Girl | magazine |
X-Men 94 Bronze Age Comic Claremont 1975 | comic |
Fleetwood Mac Rumours LP Vinyl Record 1977 | record |
Beatles White Album CD 2 Disc 1998 | cd |
The Goonies VHS Tape Clamshell 1985 | vhs |
Legend of Zelda Ocarina of Time N64 Game | video game |
Sega Genesis Console Bundle 2 Controllers | console |
Catan Board Game 5th Edition Complete | board game |
Ravensburger 1000 Piece Jigsaw Puzzle Lighthouse | puzzle |
Star Wars Kenner Boba Fett Action Figure 1979 | action figure |
American Girl Doll Samantha Pleasant Company | doll |
Steiff Mohair Teddy Bear Jointed Button Ear | plush |
Lionel 2026 Steam Locomotive Postwar O Gauge | train |
1989 Upper Deck Ken Griffey Jr Rookie Card PSA 8 | sports card |
Tiffany Style Stained Glass Table Lamp Dragonfly | lamp |
Blenko Art Glass Vase Amberina Crackle | vase |
Royal Doulton Teacup and Saucer Bone China Roses | cups |
Griswold No 8 Cast Iron Skillet Large Logo | cookware |
Waterford Crystal Wine Glasses Lismore Set of 4 | glasses |
Hummel Goebel Figurine Apple Tree Boy TMK3 | figurine |
Brass Candlestick Holders Pair 10 inch | candle holder |
Seth Thomas Mantel Clock 8 Day Mahogany Chime | clock |
Crochet Granny Square Afghan Blanket Throw | blanket |
Simplicity 8231 Sewing Pattern 1978 Wrap Dress Size 12 Uncut | sewing pattern |
Snap-on 3/8 Ratchet Wrench F936 USA | hand tool |
Yamaha Student Clarinet YCL-20 with Case | clarinet |
Fillmore Concert Poster Jimi Hendrix 1968 Wes Wilson | poster |
Penn Senator 114H Fishing Reel 6/0 | fishing |
Ping Eye 2 Iron Set 3-PW Black Dot Golf Clubs | golf |
`)

function labeled(text: string): LabeledTitle[] {
  return text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [title = '', kind = '', who = ''] = line.split('|').map((part) => part.trim())
      return { title, kind, who }
    })
}
