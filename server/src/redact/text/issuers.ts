// Services whose tokens are plain letters and digits, or a UUID, so that only their name tells: those of gitleaks and trufflehog.
// Names that are ordinary words are left out, except those below.

/** Issuers whose names are distinctive enough to count beside a value. */
export const ISSUERS: readonly string[] =
  `abbysale abuseipdb accuweather adafruit adobe adzuna aerisweather aeroworkflow aftership agora airbrake airship airtable airvisual aiven
   akamai alchemy alconost alegra alethia algolia alibaba alienvault allsports alphavantage amadeus ambee amplitude anthropic anypoint apacta
   apideck apiflash apifonica apify apilayer apimatic apiscience apitemplate appcues appdynamics appfollow appointedd appsynergy apptentive
   apptivo artifactory artsy asana assemblyai atlassian auth0 autodesk autoklose avalara avaza aviationstack axonaut aylien ayrshare backblaze
   bamboohr bannerbear baremetrics basistheory beamer beebole besnappy besttime betterstack billomat bintray bitbar bitbucket bitcoinaverage
   bitfinex bitgo bitly bitmex bittrex blazemeter blitapp blocknative blynk boldsign bombbomb boostnote borgbase braintree brandfetch
   brightlocal browserstack browshot bscscan buddyns bugherd bugsnag buildkite bulksms buttercms caflou calendarific calendly calorieninja
   campaignmonitor campayn cannyio capsulecrm captaindata carboninterface cashboard caspio censys chargebee chartmogul checkly checkvist cicero
   circleci clarifai clearbit clickhelp clickhouse clicksend clickup cliengo clinchpad clockify clockworksms cloudant cloudconvert cloudelements
   cloudflare cloudimage cloudinary cloudmersive cloudplan cloudsight cloudsmith cloudways cloverly cloze clustdoc codacy codeclimate codecov
   codemagic codequiry cohere coinapi coinbase coingecko coinlayer coinlib coinmarketcap cometchat commercejs companyhub confluence confluent
   contentful contentstack contribsys convertapi convertkit copyscape couchbase countrylayer coveralls craftmypdf createsend crowdin
   cryptocompare currencycloud currencyfreaks currencylayer currencyscoop currentsapi customerio databox databricks datadog datafire datagov
   deepai deepgram deepl deepseek delighted detectify detectlanguage dfuse diffbot diggernaut digitalocean discogs discord disqus distribusion
   dnscheck docparser documo docusign doppler dotmailer dovico dronahq droneci dropbox duffel dwolla dynadot dynalist dynatrace dyspatch
   easyinsight easypost edamam edenai eightxeight elasticemail elasticpath elevenlabs emailoctopus enablex equinix ethplorer etherscan etsy
   eventbrite eversign exchangerate expensify exportsdk extractorapi facebook faceplusplus fakejson fastforex fastly fastspring faunadb feedier
   fetchrss figma fileio filestack finage financialmodelingprep finicity finnhub fireworks fixerio flagsmith fleetbase flickr flightapi
   flightlabs flightstats flowdash flowdock flowflu flutterwave fmfw formbucket formcraft formsite formstack foursquare frameio freshbooks
   freshdesk fullcontact fullstory fusebill fxmarket geckoboard gengo geoapify geocodify geocodio getgeoapi getgist getresponse gitea
   gitguardian gitter glassnode gocanvas gocardless goodday goshippo gosquared grafana graphcms graphhopper groovehq groq gtmetrix
   guardianapi gumroad gyazo happyscribe heatmapapi hellosign helpcrunch helpscout heroku hiveage holidayapi honeycomb hubspot hunterio
   huggingface hybiscus hypeauditor hypertrack ibmcloud iconfinder iexapis iexcloud imagekit imgix imgur infobip infracost infura insightly
   instabot instagram integromat intercom interseller intrinio invoiceocean ipapi ipgeolocation ipify ipinfo ipquality ipstack jdbc jfrog jotform
   jsonbin jumpcloud jumpseller kakaotalk kaleyra kaltura kanbantool karmacrm keenio keygen kickbox klaviyo klipfolio knapsackpro kraken kucoin
   kylas languagelayer lastfm launchdarkly leadfeeder lemlist lendflow lexigram lightstep linkedin linkpreview liveagent livestorm loadmill
   locationiq logdna logentries loggly loginradius logzio lokalise loyverse lunchmoney madkudu magicbell mailboxlayer mailchimp mailerlite
   mailgun mailjet mailmodo mailsac mailtrap mandrill mapbox mapquest marketstack mattermost mavenlink maxmind meaningcloud mediastack
   meistertask meraki mesibo messagebird metaapi metrilo mindmeister mistral mixmax mixpanel mockaroo mojohelpdesk mollie monkeylearn
   moonclerk moosend moralis mrticktock myfreshworks myintervals nethunt netlify neutrinoapi newrelic newsapi newscatcher nexmo nftport
   nicehash nicereply ngrok nightfall nordigen nordvpn noticeable nozbe nubela nuget numverify nutritionix nylas nytimes okta omnisend
   onbuka onedesk onelogin onepagecrm onesignal oneuptime onwater oopspam openai opencage opendatasoft opengraphr openuv openweather opsgenie
   optimizely owlbot packagecloud pagerduty pandadoc pandascore paperform papertrail paralleldots parsehub parseur partnerstack passbase pastebin
   paydirtapp paymoapp paymongo paypal paystack pdflayer pdfmyurl pdfshift peopledatalabs pepipost perplexity phrasetoken pinata pingdom
   pinecone pipedream pipedrive pivotaltracker pixabay plaid planetscale planviewleankit planyo plivo poloniex pollsapi positionstack
   postageapp posthog postman postmark powrbot prefect printfection privateai prodpad prospectcrm prospectio proxycrawl pubnub pulumi purestake
   pushbullet pusher qase quickbase quickbooks quickmetrics quicknode rapidapi rawg raygun razorpay reachmail rebrandly recaptcha rechargepayments
   redbooth redislabs rentman repairshopr replicate revampcrm ringcentral riotgames ritekit rocketreach rockset rollbar rootly
   route4me rownd runrunit runscope salesblink salescookie salesflare salesforce salesmate satismeter saucelabs scaleway scalr scrapeowl
   scraperapi scraperbox scrapestack scrapfly scrapingant scrapingbee scrapingdog screenshotapi screenshotlayer scrutinizerci securitytrails
   selectpdf sellfy sendbird sendgrid sendinblue sendoso sentinelone sentry serphouse serpstack sheety sherpadesk shippo shipday shodan
   shopee shopify shotstack shutterstock sidekiq signalfx signalwire signaturit signupgenius sigopt simfin simplesat simplybook simplynoted
   simvoly sinch siteleaf skrappio skybiometry smartsheet smartystreets smooch smsapi snipcart sonarcloud sonarqube sonatype sourcegraph
   sparkpost speechtextai splunk spoonacular sportradar sportsmonk spotify squarespace squareup sslmate statuscake statuspage statuspal stitchdata
   stockdata stormboard stormglass storecove storyblok storychief strava streamchat stripe stytch sumologic supabase supernotes supportbee
   surveyanyplace surveybot surveymonkey surveysparrow survicate tailscale tallyfy tatumio tavily taxjar teamgate teamviewer teamwork telegram
   telesign teletype telnyx tencent testingbot testrail text2data textmagic theoddsapi thinkific thousandeyes ticketmaster tickettailor tiingo
   timecamp timekit timezoneapi tmetric todoist togglrack toggltrack tomorrowio tomtom tradier transferwise travelpayouts travis
   travisci trello twelvedata twilio twitch twitter tyntec typeform ubidots uclassify unifyid unplugg unsplash upcdatabase uplead uploadcare
   uproc uptimerobot upwave urlscan userflow userstack vatlayer vbout veevavault verimail veriphone versioneye victorops viewneo
   virustotal visualcrossing voicegain vonage voodoosms vouchery voyageai vpnapi vultr wakatime walkscore weatherapi weatherbit weatherstack webengage
   webex webflow webscraper webscraping websitepulse wepay whoxy wistia woopra wordsapi workos worksnaps workstack worldcoinindex
   worldweather wpengine wrike yandex yelp yext youneedabudget yousign youtube zendesk zenkit zenrows zenscrape zenserp zeplin zerobounce zerotier
   zipbooks zipcodeapi zipcodebase zonkafeedback zulip`.split(/\s+/);

/** Short or ordinary names: they count only as a word of a name. */
export const ISSUER_WORDS: ReadonlySet<string> = new Set([
  ...ISSUERS,
  ...`dd cf ld nr snyk vault linode hetzner aio square linear segment notion zoom octopus jira sonar sumo drone lob miro monday close copper
   apollo front paddle abstract polygon bubble gemini checkout circle heap mux percy pinata rev slack sentry`.split(
    /\s+/,
  ),
]);
