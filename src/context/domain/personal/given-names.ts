import { foldLetters } from '../../../kernel/domain/text/fold.ts'

/**
 * Frequent given and family names of many countries, without those that are ordinary words, months, colours or places.
 * A list this short knows about half of the people in a table, which is enough to know the column.
 */
const GIVEN = `
aaron abdul abdullah abigail adam adele adrian adriana agnes agnieszka ahmed aidan aisha alan albert alberto alejandro alessandra alessandro alex alexander alexandra alexandre
alexis alfred ali alice alicia alina alison allison amanda amber amelia amit amy ana anastasia anders andre andrea andreas andrei andres andrew andrzej angela angelina anil anita anja
anke ann anna anne annette annika anthony antoine anton antonia antonio anya arjun arnaud arthur arturo asha ashley astrid axel ayesha barbara bartosz beata beatrice beatriz ben benjamin
bernard bernd bernhard birgit bjorn bob boris brad brandon brenda brian bridget bruno caitlin camila camille carl carla carlos carmen carol carolina caroline caterina catherine
cecilia celine chantal charles charlie charlotte chiara chloe chris christian christina christine christoph christophe christopher claire clara claude claudia claudio
clemens connor corinne cristina cynthia dagmar daniel daniela daniele danielle dariusz david davide deborah deepak denise dennis derek diana diane diego dieter dimitri
dirk dmitri dmitry dominik dominique donald donna doris dorothy dorota douglas duncan dylan eduardo edward edwin eileen elena eleonora elias elisa elisabeth elise elizabeth ella ellen
elsa emil emilia emilie emily emma emmanuel eric erica erik erika erin ernst esther ethan eugene eva evelyn ewa fabian fabio fatima federica federico felix ferdinand fernanda fernando fiona florian
frances francesca francesco francisco franck francois francoise frank franz fred frederic frederik friedrich gabriel gabriela gabriele gareth gary gavin genevieve
george georg gerald gerard gerhard gertrud gilles gino giorgio giovanna giovanni giulia giuseppe gisela gloria gonzalo graham greg gregor gregory greta grzegorz guido guillaume guillermo gustav gustavo guy
hannah hanna hannes hans harald harold harry hassan heather hector heidi heike heinrich heinz helen helena helga helmut henri henrik henry herbert hermann hiroshi holger howard hugo hussein ian
ibrahim ignacio igor ilse imran ines inga ingeborg ingrid irena irene irina irma isaac isabel isabella isabelle ivan ivana jack jackie jacob jacqueline jacques jaime jakob jakub james jan jana jane janet janina janine
jarek jason javier jean jeanne jeff jeffrey jelena jennifer jens jeremy jerome jerzy jessica jill jim joachim joan joana joanna joanne joao joe joel johan johann johanna johannes john johnny jonas jonathan
jorg jorge jose josef joseph josephine joshua juan juanita judith julia julian juliana julie julien juliette julio jurgen justin justyna karen karin karina karl karla karolina katarina katarzyna
kate katharina katherine kathleen kathrin kathryn katie katja kazuki keith kelly ken kenji kenneth kerstin kevin kim kirsten klaus kofi konrad konstantin krishna kristen kristin kristina krzysztof kumar kurt
kyle lakshmi lars laszlo laura lauren laurence laurent lea leah leila lena leo leon leonardo leonie leticia liam liliana linda lisa liz lorenzo louis louise luc luca lucas lucia luciana lucie lucy ludwig luigi luis luisa luka
lukas lukasz lutz lydia lynn maciej madeleine magda magdalena malgorzata malik mandy manfred manoj manon manuel manuela marc marcel marcelo marcin marco marcos marcus marek margaret margarita margot
maria mariana marianne marie mariam marina mario marion marjan mark marko markus marta martha martin martina mary maryam mateo mateusz mathieu mathilde mathis matt matteo matthew matthias matthieu maurice mauro
maximilian megan mehmet mei melanie melissa merve mia michael michal michel michele michelle miguel mikhail mila milan miriam mirko mohamed mohammad mohammed moritz monica monika monique murat mustafa nadia nadine
nancy naomi natalia natalie natasha nathalie nathan neha neil nicola nicolas nicole niels nikhil nikita nikolai nikolaus nils nina noah noemi nora norbert norma olaf oleg olena olga oliver olivia olivier omar oscar oskar osman
otto pablo paola paolo patricia patrick patrik paul paula paulina pauline paulo pavel pawel pedro penelope peter petra philip philipp philippe phillip pia pierre pilar piotr prakash priya rachel radoslaw rafael raj
rajesh ralf ralph ramon raphael raul ravi raymond rebecca regina reiner reinhard renata renate rene ricardo riccardo richard rita robert roberta roberto robin rodrigo roger roland rolf romain roman romina ronald rosa
rosalie rosemary roxana rudolf russell ruth ryan sabine sabrina sally salma samantha samir samuel sandra sandrine sanjay santiago sara sarah sascha scott sean sebastian sebastien selin serena serge sergei sergey sergio
shannon sharon sheila shirley silke silvia simon simona simone sofia sonia sonja sophia sophie stefan stefania stefanie stella stephan stephane stephanie stephen steve steven stuart sunita suresh susan susana susanne suzanne sven svetlana
swen sylvia sylvie szymon takeshi tamara tanja tanya tara tatiana ted teresa terry thea theo theodor theresa therese thierry thomas thorsten tim timo timothy tina tobias tom tomas tomasz tony torsten tracy
tristan ulrich ulrike ursula ute uwe valentina valentin valerie vanessa vera veronica veronika veronique victor vijay viktor viktoria vincent vincenzo viola virginie vivian vladimir volker walter waltraud wanda wei
wendy werner wilhelm william wilma wojciech wolfgang xavier yan yannick yasmin yolanda youssef yuki yuri yusuf yves yvonne zbigniew zeynep zoe zofia
ava mason logan aiden jayden aubrey addison zoey avery scarlett hailey kaylee kayla alyssa brianna tyler cody brittany courtney tiffany kimberly pamela betty debra larry jerry zachary bryan billy bruce willie roy wayne
randy bobby joyce victoria virginia carolyn cheryl janice grace judy beverly marilyn lori aarav ananya rohan pooja sanjana vikram deepika li xiu ying jun hui fang yan min ling haruto sakura jiho minjun seo jin
chinedu ngozi amara oluwaseun kwame thandiwe sipho aoife siobhan niamh ciaran padraig rhys gwen elin maja oskar freja soren mikkel lotte sanne daan bram fleur zuzana jiri ondrej katka istvan zsofia
nikola milos jovana dragan ioana bogdan mihai radu georgi ivanka dimitra kostas yiannis eleni mehdi karim leyla farah amina khalid layla hamza bilal rashid
`
const FAMILY = `
smith johnson williams jones davis miller wilson moore taylor anderson thomas jackson harris thompson garcia martinez robinson rodriguez lewis walker hernandez wright lopez gonzalez nelson
mitchell perez roberts phillips campbell edwards collins stewart sanchez morris rogers cooper richardson howard ramirez peterson watson sanders bennett alvarez castillo hughes flores myers hamilton sullivan fisher
muller schmidt schneider fischer weber meyer wagner becker schulz hoffmann schafer bauer richter klein schroder neumann zimmermann braun kruger hofmann hartmann lange schmitt krause lehmann maier huber
kaiser fuchs peters scholz moller weiss jung hahn schubert vogel friedrich keller gunther berger winkler lorenz baumann franke schuster bohm dubois bernard durand moreau lefebvre leroy roux morel fournier girard bonnet lambert rousseau
blanc guerin muller henry garnier chevalier legrand gauthier perrin rossi russo ferrari esposito bianchi romano colombo ricci marino greco conti bruno costa giordano rizzo lombardi moretti nowak kowalski wisniewski wojcik kowalczyk kaminski
lewandowski zielinski szymanski wozniak dabrowski kozlowski silva santos oliveira souza pereira ferreira alves lima gomes ribeiro carvalho fernandez gomez martin jimenez ruiz diaz moreno munoz romero navarro torres dominguez vazquez ramos
jansen vries bakker visser smit meijer mulder bos vos dijkstra hansen johansen olsen larsen andersen pedersen nielsen jensen christensen johansson karlsson nilsson eriksson ivanov petrov sidorov popov patel singh sharma gupta
scott adams carter allen clark lee cox ward reed bailey parker evans turner cruz murray freeman webb simpson stevens tucker crawford boyd kennedy warren dixon reyes gordon shaw holmes robertson palmer nichols ferguson
hawkins dunn perkins spencer gardner stephens payne matthews arnold willis watkins olson carroll snyder cunningham bradley andrews riley armstrong lawrence elliott chavez gutierrez vasquez wheeler chapman montgomery
richards williamson johnston mccoy howell morrison garza harvey burton jacobs reid lynch gilbert garrett welch larson frazier burke hanson mendoza bowman medina fowler brown king doe
khan nguyen tran pham chen wang zhang kim tanaka suzuki sato yamamoto watanabe yilmaz kaya demir obrien oconnor murphy kelly
`

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))
const GIVEN_NAMES = words(GIVEN)
const FAMILY_NAMES = words(FAMILY)

const plain = (word: string): string => foldLetters(word).toLowerCase().replaceAll(/['’-]/g, '')

/** `Anna-Lena` and `JEAN` as well. */
export const isGivenName = (word: string): boolean =>
  GIVEN_NAMES.has(plain(word)) || (word.includes('-') && GIVEN_NAMES.has(plain(word.slice(0, word.indexOf('-')))))
export const isFamilyName = (word: string): boolean => FAMILY_NAMES.has(plain(word))
