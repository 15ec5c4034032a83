# fog-aws, which posts to what it takes for the queue's path.
require 'fog/aws'
require_relative 'steps'

puts "version #{Fog::AWS::VERSION}"

def connect(options = {})
  Fog::AWS::SQS.new({
    aws_access_key_id: 'test', aws_secret_access_key: 'test', region: 'us-east-1',
    host: PLACE.host, port: PLACE.port, scheme: 'http'
  }.merge(options))
end

sqs = connect
jobs = message = nil
receive = lambda { |url, more = {}| sqs.receive_message(url, { 'WaitTimeSeconds' => 5 }.merge(more)).body['Message'] }
attributes = ->(url) { sqs.get_queue_attributes(url, 'All').body['Attributes'] }

step('create') do
  jobs = sqs.create_queue('jobs', 'Attribute.1.Name' => 'VisibilityTimeout', 'Attribute.1.Value' => '60').body['QueueUrl']
  same('url', jobs, "#{ENDPOINT}/000000000000/jobs")
  sqs.set_queue_attributes(jobs, 'MessageRetentionPeriod', 3600)
  same('attributes', attributes.(jobs).values_at('VisibilityTimeout', 'MessageRetentionPeriod').map(&:to_s), %w[60 3600])
end
step('find') do
  same('list', sqs.list_queues('QueueNamePrefix' => 'jo').body['QueueUrls'], [jobs])
  same('none', sqs.list_queues('QueueNamePrefix' => 'nothing').body['QueueUrls'], [])
end
skip('tags', 'it does not know them')
step('send') do
  sent = sqs.send_message(jobs, BODY).body
  same('digest', sent['MD5OfMessageBody'], Digest::MD5.hexdigest(BODY))
end
step('receive') do
  message = receive.(jobs).fetch(0)
  same('body', message['Body'], BODY)
  same('digest', message['MD5OfBody'], Digest::MD5.hexdigest(BODY))
  same('receive count', message['Attributes']['ApproximateReceiveCount'], 1)
end
step('visibility') do
  sqs.change_message_visibility(jobs, message['ReceiptHandle'], 0)
  message = receive.(jobs).fetch(0)
  same('receive count', message['Attributes']['ApproximateReceiveCount'], 2)
  sqs.change_message_visibility(jobs, message['ReceiptHandle'], 120)
end
step('delete') do
  sqs.delete_message(jobs, message['ReceiptHandle'])
  same('left', attributes.(jobs)['ApproximateNumberOfMessagesNotVisible'].to_s, '0')
end
skip('batch', 'it does not know them')
step('long-poll') do
  sender = Thread.new { sleep 0.3; connect.send_message(jobs, 'wake up') }
  begun = Time.now
  got = receive.(jobs, 'WaitTimeSeconds' => 20).fetch(0)
  sender.join
  same('body', got['Body'], 'wake up')
  same('in time', Time.now - begun < 18, true)
  sqs.delete_message(jobs, got['ReceiptHandle'])
end
step('cut-off') do
  caught(Excon::Error::Timeout) do
    connect(connection_options: { read_timeout: 1 }).receive_message(jobs, 'WaitTimeSeconds' => 20)
  end
  sqs.send_message(jobs, 'next')
  got = receive.(jobs, 'WaitTimeSeconds' => 1).fetch(0)
  same('receive count', got['Attributes']['ApproximateReceiveCount'], 1)
  sqs.delete_message(jobs, got['ReceiptHandle'])
end
skip('fifo', 'it does not know groups')
step('dead-letter') do
  dead, source = %w[dead source].map { |name| sqs.create_queue(name).body['QueueUrl'] }
  arn = attributes.(dead)['QueueArn']
  sqs.set_queue_attributes(source, 'RedrivePolicy', %({"deadLetterTargetArn":"#{arn}","maxReceiveCount":1}))
  sqs.send_message(source, 'poison')
  same('once', receive.(source, 'VisibilityTimeout' => 0).length, 1)
  same('not twice', receive.(source, 'WaitTimeSeconds' => 0), [])
  same('dead', receive.(dead).map { |m| m['Body'] }, ['poison'])
end
skip('move-task', 'it does not know it')
skip('purge', 'it does not know it')
step('delete-queue') do
  sqs.delete_queue(jobs)
  same('left', sqs.list_queues.body['QueueUrls'].include?(jobs), false)
end
step('missing-queue') do
  error = caught(Excon::Error::BadRequest) { sqs.send_message(jobs, 'x') }
  same('code', error.response.body[%r{<Code>(.*)</Code>}, 1], MISSING)
end
finish
